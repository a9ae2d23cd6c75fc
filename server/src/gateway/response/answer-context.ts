import type { AnswerContext } from '#protocols/protocol.ts';
import type { Ended } from '../exchange.ts';

/** Returns the parts of a request that its response repeats. */
export function createAnswerContext({
  completion,
  id,
  receivedAtMs,
}: Pick<Ended, 'completion' | 'id' | 'receivedAtMs'>): AnswerContext {
  const asked = completion?.operation === undefined ? completion : null;
  return {
    requestId: id,
    model: completion?.model ?? '',
    nowSeconds: Math.floor(receivedAtMs / 1000),
    wantsUsage: asked?.wantsUsage === true,
    ...(asked?.repeatedFields && { repeatedFields: asked.repeatedFields }),
  };
}
