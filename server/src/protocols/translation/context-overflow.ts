import type { ContextOverflow } from '@sluice/contract';

/** Sizes known from other sources than the provider's message; `null` if unknown. */
interface KnownSizes {
  readonly promptTokens: number | null;
  readonly maxTokens: number | null;
}

interface NamedSizes {
  readonly promptTokens?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly excessTokens?: number | undefined;
}

const sum = /(\d{1,12}) \+ (\d{1,12}) > (\d{1,12})/;
const remainder = /(\d{1,12}) > (\d{1,12}) - (\d{1,12})/;
const comparison = /(\d[\d,]{0,12}) tokens > (\d[\d,]{0,12}) maximum/;
const excess = /\bby (\d[\d,]{0,12}) tokens/i;
/** Most specific wording first. */
const maximums = [
  /context (?:length|limit|size|window)[^\d]{0,40}?(\d[\d,]{0,12}k?)/i,
  /(?<![\w.:/-])(\d[\d,]{0,12}k?)[ -](?:tokens? )?max(?:imum)? context/i,
  /\blength should be \[\d{1,12}, ?(\d{1,12})\]/i,
  /(?:maximum|max|limit|allowed|cannot exceed|less than|must be <=)[^\d]{0,40}?(\d[\d,]{0,12}k?)/i,
];
/** Matches a number that is not part of a name such as `gpt-4-32k`. */
const number = /(?<![\w.:/-])\d[\d,]{0,12}k?(?![\w-]|\.\d)/gi;
/** Vendor error code: a number in parentheses at the end of a message that states no tokens. */
const errorCode = /\(\d{3,6}\)\.?\s{0,9}$/;
const isSize = (count: number) => count >= 128 && count <= 100_000_000;

/**
 * Returns the sizes stated in a provider's message. Missing sizes are taken from `known`. A size is `null` if it is
 * unknown there too, or contradicts the rejection by more than an estimate's error.
 */
export function readOverflow(message: string, known: KnownSizes): ContextOverflow {
  const said = readSizes(/token/i.test(message) ? message : message.replace(errorCode, ''));
  const { excessTokens } = said;
  const maxTokens = said.maxTokens ?? findMaximum(said, known);
  if (said.promptTokens !== undefined) return { promptTokens: said.promptTokens, maxTokens };
  const estimate = known.promptTokens ?? 0;
  if (maxTokens === null)
    return { promptTokens: estimate > (excessTokens ?? 0) ? estimate : null, maxTokens };
  if (excessTokens !== undefined) return { promptTokens: maxTokens + excessTokens, maxTokens };
  return { promptTokens: Math.max(estimate, maxTokens + 1), maxTokens };
}

function readSizes(message: string): NamedSizes {
  const compared = comparison.exec(message);
  if (compared) return { promptTokens: toNumber(compared[1]), maxTokens: toNumber(compared[2]) };
  const added = sum.exec(message);
  if (added) return { promptTokens: toNumber(added[1]) + toNumber(added[2]), maxTokens: toNumber(added[3]) };
  const left = remainder.exec(message);
  if (left) return { promptTokens: toNumber(left[1]) + toNumber(left[3]), maxTokens: toNumber(left[2]) };
  const beyond = excess.exec(message);
  if (beyond) return { excessTokens: toNumber(beyond[1]) };
  const maxTokens = maximums.map((pattern) => toNumber(pattern.exec(message)?.[1])).find(isSize);
  const named = [...message.matchAll(number)].map(([text]) => toNumber(text)).filter(isSize);
  const largest = Math.max(0, ...named);
  return { maxTokens, promptTokens: largest > (maxTokens ?? 0) ? largest : undefined };
}

/**
 * Returns the maximum from the model data, unless the prompt is too short to exceed it: a server may be configured
 * for a smaller context than the model's.
 */
function findMaximum({ promptTokens, excessTokens = 0 }: NamedSizes, known: KnownSizes): number | null {
  const { maxTokens } = known;
  if (maxTokens === null) return null;
  if (promptTokens !== undefined) return promptTokens > maxTokens ? maxTokens : null;
  const isPlausible = !known.promptTokens || known.promptTokens * 2 >= maxTokens + excessTokens;
  return isPlausible ? maxTokens : null;
}

function toNumber(text = '0'): number {
  const digits = Number(text.replace(/[,k]/gi, ''));
  return /k$/i.test(text) ? digits * 1_000 : digits;
}

interface OverflowWords {
  readonly pattern: RegExp;
  write(overflow: ContextOverflow): string;
}

/** Messages in the wording of each protocol's own provider, which make clients shorten their conversation. */
const words = {
  anthropic: {
    pattern: /prompt is too long: \d+ tokens > \d+ maximum|exceed context limit: \d+ \+ \d+ > \d+/i,
    write: ({ promptTokens, maxTokens }) =>
      promptTokens === null
        ? 'prompt is too long'
        : `prompt is too long: ${promptTokens} tokens${maxTokens === null ? '' : ` > ${maxTokens} maximum`}`,
  },
  openai: {
    pattern: /maximum context length is \d+ tokens|exceeds the context window/i,
    write: ({ promptTokens, maxTokens }) =>
      [
        maxTokens === null
          ? 'Your input exceeds the context window of this model.'
          : `This model's maximum context length is ${maxTokens} tokens.`,
        promptTokens !== null &&
          `${maxTokens === null ? 'Your' : 'However, your'} messages resulted in ${promptTokens} tokens.`,
        'Please reduce the length of the messages.',
      ]
        .filter(Boolean)
        .join(' '),
  },
  google: {
    pattern: /input token count.{0,40}exceeds the maximum number of tokens/i,
    write: ({ promptTokens, maxTokens }) =>
      `The input token count${named(promptTokens)} exceeds the maximum number of tokens allowed${named(maxTokens)}.`,
  },
} as const satisfies Readonly<Record<string, OverflowWords>>;

function named(tokens: number | null): string {
  return tokens === null ? '' : ` (${tokens})`;
}

/** Returns the message of an error, in the wording of the caller's protocol if the prompt exceeds the context. */
export function wordOverflow(
  { message, overflow }: { readonly message: string; readonly overflow?: ContextOverflow | undefined },
  protocol: keyof typeof words,
): string {
  const { pattern, write }: OverflowWords = words[protocol];
  return overflow && !pattern.test(message) ? write(overflow) : message;
}
