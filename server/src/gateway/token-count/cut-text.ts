/**
 * So long a piece takes under a millisecond whatever it holds: the tokenizer's time grows with the square of an unbroken
 * run, and one letter ten million times is such a run.
 */
export const pieceLettersMax = 512;

/** A text in pieces that can be counted apart, cut before a blank where there is one: the sum is at most a little higher. */
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
  // The two halves of a pair stay together.
  const unit = text.charCodeAt(latest);
  return unit >= 0xdc00 && unit < 0xe000 ? latest - 1 : latest;
}
