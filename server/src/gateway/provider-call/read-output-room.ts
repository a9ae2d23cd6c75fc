import type { Refusal } from './refusals.ts';

const ofOutput =
  /max_(completion_|output_|new_)?tokens|maxOutputTokens|max tokens|num_predict|(output|completion) tokens/i;
const ofContext = /context|must be <=|input length|prompt contains/i;
const contextNumber =
  /(?:context (?:length|window|size|limit)(?: of| is|:)?|<=|>) ?(\d[\d,_]*)(?![\d,_]| ?\+)/i;
const numbers = /(?<![\w.-])\d[\d,_]*(?![\w-]|\.\d)/g;
/** Minimum for a token count. Smaller numbers are bounds such as "from 1". */
const leastTokens = 16;

/**
 * Extracts the acceptable output cap from a provider's error: the model's maximum, or the part of the context left
 * after the input. Returns an empty list if the error concerns something else.
 */
export function readOutputRoom(message: string, cap: number): readonly Refusal[] {
  if (!ofOutput.test(message) && !ofContext.test(message)) return [];
  const named = [...new Set(message.match(numbers)?.map((text) => readNumber(text)))];
  const others = named.filter((number) => number >= leastTokens && number !== cap);
  // Ignores a number that is the sum of the cap and another number, since some errors state the requested total.
  const facts = others.filter((number) => !others.includes(number - cap));
  const [largest = 0, second = 0] = facts.toSorted((one, other) => other - one);
  if (ofContext.test(message) && second > 0) {
    const [, context] = contextNumber.exec(message) ?? [];
    // The input alone exceeds the context.
    if (context !== undefined && readNumber(context) < largest) return [];
    const room = largest - second;
    if (room < 1 || room >= cap) return [];
    return [
      { kind: 'context', value: String(largest) },
      { kind: 'room', value: String(room) },
    ];
  }
  const maximum = Math.max(...facts.filter((number) => number < cap));
  // The bound of an exclusive range is one more than the maximum.
  const isExclusive = /exclusive/i.test(message);
  return Number.isFinite(maximum)
    ? [{ kind: 'output', value: String(isExclusive ? maximum - 1 : maximum) }]
    : [];
}

const readNumber = (text: string) => Number(text.replaceAll(/[,_]/g, ''));
