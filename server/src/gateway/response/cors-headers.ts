import type { ServerResponse } from 'node:http';

const exposedHeaders = [
  ...['x-request-id', 'request-id', 'retry-after', 'x-should-retry'],
  ...['x-sluice-warning', 'x-sluice-cost', 'x-sluice-intent', 'x-sluice-score'],
  ...['x-ratelimit-limit-requests', 'x-ratelimit-remaining-requests', 'x-ratelimit-reset-requests'],
  ...['x-ratelimit-limit-tokens', 'x-ratelimit-remaining-tokens', 'x-ratelimit-reset-tokens'],
].join(', ');

/** Any page may call the public surface with a key it holds: there are no cookies that a browser would add. */
export function setCorsHeaders(response: ServerResponse): void {
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-expose-headers', exposedHeaders);
}

/** Answers the request by which a browser asks what it may send. */
export function answerPreflight(response: ServerResponse): void {
  response.writeHead(204, {
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': '*, authorization',
    'access-control-max-age': '600',
  });
  response.end();
}
