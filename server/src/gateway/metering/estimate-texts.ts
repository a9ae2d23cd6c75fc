import { estimateTextTokens } from '#domain/token-estimate.ts';
import type { Steps } from '#protocols/steps.ts';

const sliceLetters = 128 * 1024;
const microsPerLetter = 0.002;

/** Sums the upper estimates of texts in slices. Each has its own margin, so the sum is an upper estimate too. */
export function* estimateTexts(texts: readonly string[]): Steps<number> {
  let tokens = 0;
  for (const text of texts) {
    for (let start = 0; start === 0 || start < text.length; start += sliceLetters) {
      const slice = text.slice(start, start + sliceLetters);
      yield slice.length * microsPerLetter;
      tokens += estimateTextTokens(slice);
    }
  }
  return tokens;
}
