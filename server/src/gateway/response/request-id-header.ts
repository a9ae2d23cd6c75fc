import type { CallerProtocol } from '../routes.ts';
import type { AnswerHead } from './answer-head.ts';

/** Sets the request id, under the header names that clients expect. */
export function setRequestIdHeader(head: AnswerHead, protocol: CallerProtocol, requestId: string): void {
  head.set('x-request-id', requestId);
  if (protocol.id === 'anthropic-messages') head.set('request-id', requestId);
}
