import { describe, expect, it } from 'vitest';
import { compareModels, splitModels } from './split-models.ts';

describe('the models of a grant', () => {
  it.each([
    [['a', 'b', 'c'], ['a', 'b', 'c'], []],
    [
      ['a', 'b', 'c', 'd'],
      ['a', 'b'],
      ['c', 'd'],
    ],
    [[], [], []],
  ])('%j show as %j, and the rest behind a count', (models, shown, more) => {
    expect(splitModels(models)).toEqual({ shown, more });
  });

  it('differ by what was added and what was removed', () => {
    expect(compareModels(['a', 'b'], ['b', 'c'])).toEqual({ added: ['c'], removed: ['a'] });
    expect(compareModels(['a', 'b'], ['b', 'a'])).toEqual({ added: [], removed: [] });
  });
});
