import { describe, expect, it } from 'vitest';
import { findDifferences, wordsMax } from './result-card.tsx';

describe('findDifferences', () => {
  it('findDifferences compares word by word', () => {
    expect(findDifferences('A closure is a function.', 'A closure is some function.')).toEqual([
      { kind: 'same', text: 'A closure is ' },
      { kind: 'removed', text: 'a ' },
      { kind: 'added', text: 'some ' },
      { kind: 'same', text: 'function.' },
    ]);
    expect(findDifferences('same', 'same')).toEqual([{ kind: 'same', text: 'same' }]);
    expect(findDifferences('', 'new')).toEqual([{ kind: 'added', text: 'new' }]);
    expect(findDifferences('old', '')).toEqual([{ kind: 'removed', text: 'old' }]);
  });

  it('findDifferences returns parts that add up to both texts for any input', () => {
    const words = ['a', 'b', 'c', '\n\n', '  '];
    for (let seed = 0; seed < 300; seed++) {
      const make = (salt: number) =>
        Array.from({ length: (seed * salt) % 17 }, (_, index) => words[(seed * salt * (index + 3)) % 5]).join(
          ' ',
        );
      const [before, after] = [make(7), make(11)];
      const passages = findDifferences(before, after) ?? [];
      const textOf = (kinds: readonly string[]) =>
        passages.flatMap(({ kind, text }) => (kinds.includes(kind) ? [text] : [])).join('');
      expect(textOf(['same', 'removed'])).toBe(before);
      expect(textOf(['same', 'added'])).toBe(after);
    }
  });

  it('findDifferences returns null for texts that are too long', () => {
    expect(findDifferences('word '.repeat(wordsMax + 1), 'word')).toBeNull();
  });
});
