import { estimateTextTokens, sumPromptTokens } from '#domain/token-estimate.ts';
import type { Steps } from '#platform/steps.ts';
import { type CountedTexts, type Ended, isHeld } from '../exchange.ts';
import type { TokenCounter } from '../token-count/token-counter.ts';
import { isFullyReported, sumWritten } from './charge-usage.ts';
import { findAddedTokens } from './hold-amounts.ts';

export async function countUnreported(
  exchange: Ended,
  tokenCounter: Pick<TokenCounter, 'count'>,
): Promise<CountedTexts | null> {
  const { answer, calls, completion } = exchange;
  if (!isHeld(exchange) || !completion || isFullyReported(answer) || calls?.workingSinceMs == null)
    return null;
  const prompt = completion.readPrompt();
  const [textTokens, writtenTokens] = await Promise.all([
    tokenCounter.count(prompt.texts),
    answer?.written ? tokenCounter.count(answer.written.texts) : null,
  ]);
  const added = findAddedTokens(calls.target, prompt);
  return {
    inputTokens: textTokens === null ? null : sumPromptTokens(prompt, textTokens) + added,
    outputTokens: writtenTokens === null || !answer ? null : sumWritten(writtenTokens, answer),
  };
}

const sliceLetters = 128 * 1024;
const microsPerLetter = 0.002;

/** Estimating shorter texts takes microseconds, so it needs no steps. */
const shortLetters = 8 * 1024;

/** Returns `null` for longer texts, which `estimateTexts` divides into steps. */
export function estimateShortTexts(texts: readonly string[]): number | null {
  const isShort = texts.reduce(addLetters, 0) <= shortLetters;
  return isShort ? texts.reduce(addTokens, 0) : null;
}

const addLetters = (sum: number, text: string) => sum + text.length;
const addTokens = (sum: number, text: string) => sum + estimateTextTokens(text);

/** Each estimate has a margin, so the sum is an upper estimate too. */
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
