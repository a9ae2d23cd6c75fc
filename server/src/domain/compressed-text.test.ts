import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compressText, decompressText } from './compressed-text.ts';

const text = fc.string({ unit: 'binary', maxLength: 300 }).map((drawn) => drawn.toWellFormed());

it('decompressText restores the text for any known text', () => {
  fc.assert(
    fc.property(text, fc.option(text), (said, known) => {
      expect(decompressText(compressText(said, known), known)).toBe(said);
    }),
  );
});

it('decompressText restores a body that contains the prompt in JSON', () => {
  fc.assert(
    fc.property(text, text, (prompt, model) => {
      const body = JSON.stringify({ model, messages: [{ role: 'user', content: prompt }] });
      expect(decompressText(compressText(body, prompt), prompt)).toBe(body);
    }),
  );
});

it('compressText stores a short body as a checksum and the text that is not in the prompt', () => {
  const prompt = 'Sort the list of orders by date and total. '.repeat(50);
  const body = JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: prompt }] });
  expect(compressText(body, prompt)).toHaveLength(body.length - prompt.length + 9);
  expect(() => decompressText(compressText(body, prompt), prompt.toUpperCase())).toThrow(
    'another known text',
  );
});

it('compressText returns few bytes for a text that repeats the known text', () => {
  const prompt = Array.from({ length: 5_000 }, (_, place) =>
    ((place * 2_654_435_761) % 2 ** 32).toString(36),
  ).join(' ');
  const body = JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: prompt }] });
  expect(compressText(body, prompt).length).toBeLessThan(200);
  expect(compressText(body, null).length).toBeGreaterThan(10_000);
});

it('decompressText throws for a different known text instead of returning another text', () => {
  const known = 'The quick brown fox jumps over the lazy dog, and then once more over the dog.';
  const compressed = compressText(`{"content":"${known}"}`, known);
  expect(() => decompressText(compressed, known.replaceAll('dog', 'cat'))).toThrow();
  expect(() => decompressText(compressed, null)).toThrow();
});
