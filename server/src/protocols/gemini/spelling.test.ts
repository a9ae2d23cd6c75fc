import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { atLeastOne, inEitherSpelling, oneOrMany } from './spelling.ts';

const inner = inEitherSpelling({ fileUri: z.string() });
const schema = inEitherSpelling({
  topK: z.number().nullish(),
  fileData: inner.nullish(),
  text: z.string().nullish(),
});

describe('inEitherSpelling', () => {
  it.each([
    [{ topK: 1, fileData: { fileUri: 'u' } }],
    [{ top_k: 1, file_data: { file_uri: 'u' } }],
    [{ topK: 1, file_data: { fileUri: 'u' } }],
  ])('inEitherSpelling parses %j to the same fields', (value) => {
    expect(schema.parse(value)).toEqual({ topK: 1, fileData: { fileUri: 'u' } });
  });

  it('inEitherSpelling keeps unknown fields unchanged', () => {
    expect(schema.parse({ some_thing: { top_k: 1 }, other: 2 })).toEqual({
      some_thing: { top_k: 1 },
      other: 2,
    });
  });

  it('inEitherSpelling does not modify its input', () => {
    const value = Object.freeze({ top_k: 1 });
    schema.parse(value);
    expect(value).toEqual({ top_k: 1 });
  });

  it('inEitherSpelling rejects a field given in both spellings', () => {
    const [issue] = schema.safeParse({ topK: 1, top_k: 2 }).error?.issues ?? [];
    expect(issue).toMatchObject({ path: ['topK'], message: 'it is present in both spellings' });
  });

  it.each([[null], [3], ['text'], [[{ topK: 1 }]]])('inEitherSpelling rejects %j', (value) => {
    expect(schema.safeParse(value).success).toBe(false);
  });
});

describe('oneOrMany and atLeastOne', () => {
  it('oneOrMany and atLeastOne accept a single value as a list', () => {
    expect(oneOrMany(z.string()).parse('a')).toEqual(['a']);
    expect(oneOrMany(z.string()).parse(['a', 'b'])).toEqual(['a', 'b']);
    expect(atLeastOne(z.string()).parse('a')).toEqual(['a']);
  });

  it('oneOrMany accepts a missing list and atLeastOne rejects it', () => {
    expect(oneOrMany(z.string()).parse(undefined)).toBeUndefined();
    expect(oneOrMany(z.string()).parse(null)).toBeNull();
    for (const value of [undefined, null, []])
      expect(atLeastOne(z.string()).safeParse(value).success).toBe(false);
    expect(z.object({ list: atLeastOne(z.string()) }).safeParse({}).success).toBe(false);
  });
});
