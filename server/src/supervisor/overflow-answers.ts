import type { Socket } from 'node:net';
import type { ErrorCode } from '@sluice/contract';

/** Maximum number of overflow connections that get a response concurrently. Further connections are closed. */
const overflowMax = 1_024;
const answerMs = 2_000;

/** Sends a 503 to connections that no worker has accepted in time. The number of concurrent connections is limited. */
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

/**
 * Sends the same response to every request except liveness probes. Requests are not parsed, since thousands of
 * responses per second must be cheap.
 */
function createRefusals({ reason, code, detail }: Refusal): (connection: Socket) => void {
  // Readable for clients of the management API and of every gateway protocol, since the request is not parsed.
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
    // Reads the request completely. Unread data would reset the socket on close, and the response might be lost.
    connection.once('data', (head) => connection.end(isProbe(head) ? alive : refused).resume()).resume();
  };
}

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
