import type { UpstreamClient } from '#upstream/client.ts';
import type { PostAlert } from './send-alerts.ts';

const timeouts = { connectMs: 5_000, firstByteMs: 10_000, idleMs: 10_000, totalMs: 10_000 };
const answerMaxBytes = 64 * 1024;

/** Posts alerts with the client of providers: the outbound guard checks the host, and redirects are not followed. */
export function createPostAlert(url: URL, upstream: UpstreamClient): PostAlert {
  return async (body, headers) => {
    const { status, body: answer } = await upstream.send({
      url,
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'sluice' },
      body,
      signal: AbortSignal.timeout(timeouts.totalMs),
      timeouts,
    });
    // Read to the end, so that the connection can be reused.
    await answer.collect(answerMaxBytes).catch(() => undefined);
    return status;
  };
}
