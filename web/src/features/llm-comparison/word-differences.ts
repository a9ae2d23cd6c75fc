export interface Passage {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Longer texts would block the page. */
export const wordsMax = 1_500;

/** Returns the differences word by word, or `null` if a text is too long. */
export function findDifferences(before: string, after: string): readonly Passage[] | null {
  const [old, now] = [splitWords(before), splitWords(after)];
  if (old.length > wordsMax || now.length > wordsMax) return null;
  const lengths = measureCommon(old, now);
  const passages: Passage[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const [gone = '', come = ''] = [old[i], now[j]];
    if (i < old.length && j < now.length && gone === come) {
      passages.push({ kind: 'same', text: come });
      i++;
      j++;
    } else if (
      j >= now.length ||
      (i < old.length && lengthAt(lengths, i + 1, j) >= lengthAt(lengths, i, j + 1))
    ) {
      passages.push({ kind: 'removed', text: gone });
      i++;
    } else {
      passages.push({ kind: 'added', text: come });
      j++;
    }
  }
  return joinAlike(passages);
}

/** Splits into words with their trailing white space. */
const splitWords = (text: string): string[] => text.match(/\S+\s*|^\s+/g) ?? [];

/** Returns the length of the longest common subsequence of both suffixes, for each pair of positions. */
function measureCommon(old: readonly string[], now: readonly string[]): Uint16Array[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i--) {
    const row = lengths[i];
    if (!row) continue;
    for (let j = now.length - 1; j >= 0; j--) {
      row[j] =
        old[i] === now[j]
          ? lengthAt(lengths, i + 1, j + 1) + 1
          : Math.max(lengthAt(lengths, i + 1, j), lengthAt(lengths, i, j + 1));
    }
  }
  return lengths;
}

const lengthAt = (lengths: readonly Uint16Array[], i: number, j: number) => lengths[i]?.[j] ?? 0;

function joinAlike(passages: readonly Passage[]): Passage[] {
  const joined: Passage[] = [];
  for (const { kind, text } of passages) {
    const last = joined.at(-1);
    if (last?.kind === kind) joined[joined.length - 1] = { kind, text: last.text + text };
    else joined.push({ kind, text });
  }
  return joined;
}
