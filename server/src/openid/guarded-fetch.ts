import type { UpstreamClient } from '#upstream/client.ts';

export type GuardedFetch = (
  url: string,
  init: {
    readonly method: string;
    readonly headers: Headers | Readonly<Record<string, string>>;
    readonly body?: unknown;
    readonly signal?: AbortSignal | null;
  },
) => Promise<Response>;

const timeouts = { connectMs: 5_000, firstByteMs: 10_000, idleMs: 5_000, totalMs: 10_000 };
const answerMaxBytes = 512 * 1024;

/** Creates a fetch function that checks every address, follows no redirects, and limits time and bytes. */
export function createGuardedFetch(upstream: UpstreamClient): GuardedFetch {
  return async (url, { method, headers, body, signal }) => {
    const {
      status,
      headers: given,
      body: answer,
    } = await upstream.send({
      url: new URL(url),
      method,
      headers: {
        ...Object.fromEntries(new Headers(headers)),
        ...(body instanceof URLSearchParams && {
          'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
        }),
        'user-agent': 'sluice',
      },
      body: body === null || body === undefined ? null : Buffer.from(String(body)),
      signal: signal ?? new AbortController().signal,
      timeouts,
    });
    const bytes = await answer.collect(answerMaxBytes);
    const type = given['content-type'];
    return new Response(isBodyless(status) ? null : new Uint8Array(bytes), {
      status,
      headers: typeof type === 'string' ? { 'content-type': type } : {},
    });
  };
}

const isBodyless = (status: number) => [204, 205, 304].includes(status);
