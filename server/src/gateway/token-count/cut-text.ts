/**
 * Counting a piece of this length takes less than a millisecond. Tokenizing time is quadratic in the length of an
 * unbroken run, such as one letter repeated ten million times.
 */
export const pieceLettersMax = 512;

/**
 * Splits before a blank if possible. The sum of the pieces' counts is at most slightly higher than the text's count.
 */
export function* cutText(text: string): Generator<string> {
  let start = 0;
  while (text.length - start > pieceLettersMax) {
    const end = findCut(text, start);
    yield text.slice(start, end);
    start = end;
  }
  yield text.slice(start);
}

function findCut(text: string, start: number): number {
  const latest = start + pieceLettersMax;
  const blank = text.lastIndexOf(' ', latest);
  if (blank > start + pieceLettersMax / 2) return blank;
  // Keeps surrogate pairs together.
  const unit = text.charCodeAt(latest);
  return unit >= 0xdc00 && unit < 0xe000 ? latest - 1 : latest;
}
