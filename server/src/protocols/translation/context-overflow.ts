import type { ContextOverflow } from '@sluice/contract';

/** Sizes from other sources than the provider's message; `null` if unknown. */
interface KnownSizes {
  /** The gateway's estimate of the prompt. */
  readonly promptTokens: number | null;
  /** The model's context in the price catalog. */
  readonly maxTokens: number | null;
}

const wordedMax =
  /(?:maximum|max|limit|allowed|cannot exceed|context (?:length|size|window))[^\d]{0,40}?(\d[\d,]{0,12})/i;
const wordedSum = /(\d{1,12}) \+ (\d{1,12}) > (\d{1,12})/;
const wordedComparison = /(\d[\d,]{0,12}) tokens > (\d[\d,]{0,12}) maximum/;
const wordedExcess = /\bby (\d[\d,]{0,12}) tokens/i;
/** A number that is not part of a name such as `gpt-4-32k`. */
const number = /(?<![\w.:/-])\d[\d,]{0,12}(?![\w-]|\.\d)/g;
/** Smaller numbers are not sizes of a context. */
const contextTokensMin = 128;

/**
 * Returns the sizes that a provider's message names. Sizes that it leaves out come from `known`; if these contradict
 * the rejection, the difference is one token. Returns `null` if no size of the prompt is known.
 */
export function readOverflow(message: string, known: KnownSizes): ContextOverflow | null {
  const comparison = wordedComparison.exec(message);
  if (comparison) return { promptTokens: toNumber(comparison[1]), maxTokens: toNumber(comparison[2]) };
  const sum = wordedSum.exec(message);
  if (sum) return { promptTokens: toNumber(sum[1]) + toNumber(sum[2]), maxTokens: toNumber(sum[3]) };
  const excess = wordedExcess.exec(message);
  if (excess) return toOverflow(known, toNumber(excess[1]));
  const named = [...message.matchAll(number)]
    .map(([text]) => toNumber(text))
    .filter((size) => size >= contextTokensMin);
  const max = toNumber(wordedMax.exec(message)?.[1]);
  const largest = Math.max(0, ...named);
  if (max < contextTokensMin) return toOverflow({ ...known, promptTokens: largest || known.promptTokens });
  return toOverflow({ maxTokens: max, promptTokens: largest > max ? largest : known.promptTokens });
}

function toOverflow({ promptTokens, maxTokens }: KnownSizes, excess = 1): ContextOverflow | null {
  if (promptTokens === null || promptTokens <= 0)
    return maxTokens === null ? null : { promptTokens: maxTokens + excess, maxTokens };
  if (maxTokens !== null && promptTokens > maxTokens) return { promptTokens, maxTokens };
  if (maxTokens !== null) return { promptTokens: maxTokens + excess, maxTokens };
  return { promptTokens, maxTokens: Math.max(promptTokens - excess, 0) };
}

const toNumber = (text: string | undefined) => Number((text ?? '0').replaceAll(',', ''));

interface OverflowWords {
  /** Matches a message that is already in these words. */
  readonly pattern: RegExp;
  write(overflow: ContextOverflow): string;
}

/** Messages of each protocol's own provider, which make clients shorten their conversation. */
const words = {
  anthropic: {
    pattern: /prompt is too long: \d+ tokens > \d+ maximum|exceed context limit: \d+ \+ \d+ > \d+/i,
    write: ({ promptTokens, maxTokens }) =>
      `prompt is too long: ${promptTokens} tokens > ${maxTokens} maximum`,
  },
  openai: {
    pattern: /maximum context length is \d+|exceeds the context window/i,
    write: ({ promptTokens, maxTokens }) =>
      `This model's maximum context length is ${maxTokens} tokens. However, your messages resulted in ${promptTokens} tokens. Please reduce the length of the messages.`,
  },
  google: {
    pattern: /input token count.{0,40}exceeds the maximum number of tokens/i,
    write: ({ promptTokens, maxTokens }) =>
      `The input token count (${promptTokens}) exceeds the maximum number of tokens allowed (${maxTokens}).`,
  },
} as const satisfies Readonly<Record<string, OverflowWords>>;

/** Returns the message for a caller, in the words of its protocol if the prompt exceeds the context. */
export function wordOverflow(
  { message, overflow }: { readonly message: string; readonly overflow?: ContextOverflow | undefined },
  protocol: keyof typeof words,
): string {
  const { pattern, write }: OverflowWords = words[protocol];
  return overflow && !pattern.test(message) ? write(overflow) : message;
}
