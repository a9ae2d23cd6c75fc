import type { CallerProtocol } from '../routes.ts';
import type { AnswerHead } from './answer-head.ts';

/** Our id of a request, under the names by which clients look for it. */
export function setRequestIdHeader(head: AnswerHead, protocol: CallerProtocol, requestId: string): void {
  head.set('x-request-id', requestId);
  if (protocol.id === 'anthropic-messages') head.set('request-id', requestId);
}
