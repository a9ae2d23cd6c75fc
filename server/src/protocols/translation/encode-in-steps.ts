import { finish, mapInSteps, type Steps } from '#platform/steps.ts';
import type { CanonicalRequest } from '../canonical/request.ts';
import type { EncodedRequest, ProviderSide, RequestTarget } from '../protocol.ts';
import { orProblemInSteps } from './untranslatable.ts';

/** Estimated microseconds per message for one pass over a conversation. */
export const microsPerMessage = 1.5;

export const mapMessages = <Message, Mapped>(
  messages: readonly Message[],
  map: (message: Message) => Mapped,
): Steps<Mapped[]> => mapInSteps(messages, microsPerMessage, map);

/** `translate` may throw `UntranslatableError`. */
export function createRequestEncoder(
  translate: (request: CanonicalRequest, target: RequestTarget) => Steps<EncodedRequest>,
): Pick<ProviderSide, 'encodeInSteps' | 'encodeRequest'> {
  const encodeInSteps = (request: CanonicalRequest, target: RequestTarget) =>
    orProblemInSteps(translate(request, target));
  return {
    encodeInSteps,
    encodeRequest: (request, target) => finish(encodeInSteps(request, target)),
  };
}
