import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseBlacklistPattern } from './blacklist.ts';

function fits(pattern: string, name: string): boolean {
  const parsed = parseBlacklistPattern(pattern);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.pattern.fits(name.toLowerCase());
}

describe('parseBlacklistPattern', () => {
  it.each<[pattern: string, fitting: string[], others: string[]]>([
    ['gpt-4o', ['gpt-4o', 'GPT-4o'], ['gpt-4o-mini', 'gpt-4', 'xgpt-4o']],
    ['GPT-4*', ['gpt-4', 'gpt-4o', 'gpt-4-turbo'], ['gpt-5', 'my-gpt-4']],
    ['*-preview', ['o1-preview', '-preview'], ['o1-preview-2', 'preview']],
    ['claude-*-2024*', ['claude-3-haiku-20240307', 'claude--2024'], ['claude-2024', 'claude-3-2025']],
    ['a*a', ['aa', 'aba'], ['a']],
    ['*', ['', 'anything'], []],
    ['{gpt-4o, o1* }', ['gpt-4o', 'o1', 'o1-mini'], ['gpt-4o-mini', 'xo1']],
    ['{only}', ['only'], ['{only}']],
    ['gpt.4[o]+', ['gpt.4[o]+'], ['gptx4o']],
  ])('the blacklist pattern %s matches complete names in any case', (pattern, fitting, others) => {
    for (const name of fitting) expect(fits(pattern, name), name).toBe(true);
    for (const name of others) expect(fits(pattern, name), name).toBe(false);
  });

  it.each([
    ['', /empty/],
    ['  ', /empty/],
    ['{}', /name in the list is empty/],
    ['{a,,b}', /name in the list is empty/],
    ['{a,b', /Braces must enclose the whole pattern/],
    ['a,b}', /Braces must enclose the whole pattern/],
    ['{a,{b}}', /Braces must enclose the whole pattern/],
    ['gpt-{4,5}', /Braces must enclose the whole pattern/],
    ['{a}{b}', /Braces must enclose the whole pattern/],
    ['a,b', /Write several models in braces/],
  ])('parseBlacklistPattern rejects %j with a message', (text, problem) => {
    expect(parseBlacklistPattern(text)).toEqual({ ok: false, problem: expect.stringMatching(problem) });
  });

  it('a blacklist pattern matches the same names as an exhaustive search over all matches of its stars', () => {
    const word = fc.stringMatching(/^[abA*]{1,8}$/);
    const name = fc.stringMatching(/^[abB]{0,10}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), name, (words, modelName) => {
        const expected = words.some((text) => search(text.toLowerCase(), modelName.toLowerCase()));
        expect(fits(words.length === 1 ? words[0]! : `{${words.join(',')}}`, modelName)).toBe(expected);
      }),
      { numRuns: 20_000 },
    );
  });

  it.each([
    ['a thousand stars', 'a*'.repeat(1_000), 'a'.repeat(200)],
    ['a thousand stars before a missing text', `${'*a'.repeat(999)}*b`, 'a'.repeat(200)],
    ['long parts that almost match', `*${`${'a'.repeat(90)}b*`.repeat(21)}`, 'a'.repeat(200)],
    ['a list of 661 names', `{${'a*,'.repeat(660)}b}`, 'c'.repeat(200)],
  ])('a blacklist pattern with %s is matched in less than 0.5 ms', (_, text, modelName) => {
    const parsed = parseBlacklistPattern(text.slice(0, 2_000));
    const pattern = parsed.ok ? parsed.pattern : expect.fail(parsed.problem);
    const rounds = 200;
    const elapsed = [1, 2, 3, 4, 5].map(() => {
      const startMs = performance.now();
      for (let round = 0; round < rounds; round++) pattern.fits(modelName);
      return performance.now() - startMs;
    });
    expect(Math.min(...elapsed) / rounds).toBeLessThan(0.5);
  });
});

function search(pattern: string, name: string): boolean {
  if (pattern === '') return name === '';
  const [first, rest] = [pattern[0], pattern.slice(1)];
  if (first === '*') return search(rest, name) || (name !== '' && search(pattern, name.slice(1)));
  return name[0] === first && search(rest, name.slice(1));
}
