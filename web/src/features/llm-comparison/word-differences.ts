export interface Passage {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** More words than this of either text would hold the page. */
export const wordsMax = 1_500;

/** How one text became another, word by word; `null` where they are too long to say. */
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

/** Each word with the white space behind it. */
const splitWords = (text: string): string[] => text.match(/\S+\s*|^\s+/g) ?? [];

/** How many words the rests of both texts from each pair of places on have in common, in order. */
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
