import type { AnswerContext } from '#protocols/protocol.ts';
import type { AttemptedCompletion } from '../exchange.ts';

/** What an answer in the caller's protocol repeats of its request. */
export function describeAnswer({ completion, record }: AttemptedCompletion): AnswerContext {
  return {
    requestId: record.id,
    model: completion.model,
    nowSeconds: Math.floor(record.receivedAtMs / 1000),
    wantsUsage: completion.wantsUsage,
    ...(completion.repeatedFields && { repeatedFields: completion.repeatedFields }),
  };
}
