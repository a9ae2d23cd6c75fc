import type { Socket } from 'node:net';
import type { ErrorCode } from '@sluice/contract';

/** Maximum number of overflow connections that get a response at the same time; others are closed. */
const overflowMax = 1_024;
/** Time for a client to send its request and read the response. */
const answerMs = 2_000;

/**
 * Returns a function that sends a 503 to connections that no worker has taken in time, up to a maximum number of
 * connections.
 */
export function createOverflowAnswers(): (connection: Socket) => void {
  const detail = 'This node has more connections than it can handle.';
  const answer = createRefusals({ reason: 'overloaded', code: 'overloaded', detail });
  let open = 0;
  return (connection) => {
    if (open >= overflowMax) return void connection.destroy();
    open++;
    connection.once('close', () => open--);
    answer(connection);
  };
}

interface Refusal {
  readonly reason: string;
  readonly code: ErrorCode;
  readonly detail: string;
}

/** Uses no parser, since thousands of responses per second must be cheap and every request gets the same one. */
function createRefusals({ reason, code, detail }: Refusal): (connection: Socket) => void {
  // One body for both surfaces and every protocol, since the request is not parsed.
  const refusal = JSON.stringify({
    detail,
    reason,
    type: 'error',
    error: { type: 'overloaded_error', code, status: 'UNAVAILABLE', message: `${detail} Please retry.` },
  });
  const refused = formatAnswer('503 Service Unavailable', refusal, ['retry-after: 1']);
  const alive = formatAnswer('200 OK', '{"status":"ok"}', []);
  return (connection) => {
    connection.setTimeout(answerMs, () => connection.destroy());
    // Read to the end: unread data resets a socket on close, which might lose the response.
    connection.once('data', (head) => connection.end(isProbe(head) ? alive : refused).resume()).resume();
  };
}

/** Whether a request probes `/healthz`, which only checks that the process is alive. */
const isProbe = (head: Buffer | string) => /^GET \/healthz[? ]/.test(head.toString('latin1', 0, 16));

function formatAnswer(status: string, body: string, headers: readonly string[]): string {
  const head = [
    `HTTP/1.1 ${status}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    'connection: close',
    ...headers,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
