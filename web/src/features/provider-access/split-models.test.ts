import { describe, expect, it } from 'vitest';
import { compareModels, splitModels } from './columns.tsx';

describe('models of a grant', () => {
  it.each([
    [['a', 'b', 'c'], ['a', 'b', 'c'], []],
    [
      ['a', 'b', 'c', 'd'],
      ['a', 'b'],
      ['c', 'd'],
    ],
    [[], [], []],
  ])('splitModels returns for %j the displayed models %j and the other models %j', (models, shown, more) => {
    expect(splitModels(models)).toEqual({ shown, more });
  });

  it('compareModels returns added and removed models', () => {
    expect(compareModels(['a', 'b'], ['b', 'c'])).toEqual({ added: ['c'], removed: ['a'] });
    expect(compareModels(['a', 'b'], ['b', 'a'])).toEqual({ added: [], removed: [] });
  });
});
