import type { ReceivedRequest } from '../generation/prompt.ts';
import type { Call } from '../http/vendor.ts';

const keyHeaders = ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key'];

/** Masks keys except for their ends. */
export function describeReceived({ request }: Call, body: string): ReceivedRequest {
  const headers: NodeJS.Dict<string | string[]> = { ...request.headers };
  for (const name of keyHeaders) if (headers[name] !== undefined) headers[name] = mask(String(headers[name]));
  const path = (request.url ?? '').replace(/([?&]key=)([^&]*)/, (_, start, key) => start + mask(key));
  return { path, headers, body };
}

function mask(key: string): string {
  return `****${key.slice(-4)}`;
}
