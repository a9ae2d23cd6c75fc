import type { AnswerContext } from '#protocols/protocol.ts';
import type { AttemptedCompletion } from '../exchange.ts';

/** Returns the parts of a request that its response repeats. */
export function createAnswerContext({ completion, id, receivedAtMs }: AttemptedCompletion): AnswerContext {
  return {
    requestId: id,
    model: completion.model,
    nowSeconds: Math.floor(receivedAtMs / 1000),
    wantsUsage: completion.wantsUsage,
    ...(completion.repeatedFields && { repeatedFields: completion.repeatedFields }),
  };
}
