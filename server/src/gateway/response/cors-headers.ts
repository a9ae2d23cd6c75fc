import type { ServerResponse } from 'node:http';
import type { AnswerHead } from './answer-head.ts';

const exposedHeaders = [
  ...['x-request-id', 'request-id', 'retry-after', 'x-should-retry'],
  ...['x-sluice-output-cap', 'x-sluice-warning', 'x-sluice-cost', 'x-sluice-intent', 'x-sluice-score'],
  ...['x-ratelimit-limit-requests', 'x-ratelimit-remaining-requests', 'x-ratelimit-reset-requests'],
  ...['x-ratelimit-limit-tokens', 'x-ratelimit-remaining-tokens', 'x-ratelimit-reset-tokens'],
].join(', ');

/** Allows any page to call the public API with a key it has: there are no cookies that a browser would add. */
export function setCorsHeaders(head: AnswerHead): void {
  head.set('access-control-allow-origin', '*');
  head.set('access-control-expose-headers', exposedHeaders);
}

/** Responds to a CORS preflight request. */
export function answerPreflight(head: AnswerHead, response: ServerResponse): void {
  head.set('access-control-allow-methods', 'GET, POST');
  head.set('access-control-allow-headers', '*, authorization');
  head.set('access-control-max-age', '600');
  head.send(204, null);
  response.end();
}
