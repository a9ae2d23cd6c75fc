import type { Socket } from 'node:net';
import type { ErrorCode } from '@sluice/contract';

/** So many connections that nobody can take are answered at once; further ones are closed. */
const overflowMax = 1_024;
/** For a caller to ask, and to take the answer. */
const answerMs = 2_000;

/** Answers connections that no worker has taken in time, while as many wait as may. */
export function createOverflowAnswers(): (connection: Socket) => void {
  const detail = 'This node has more connections than it can take.';
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

/** Without a parser: thousands a second must cost little, and every request gets the same answer. */
function createRefusals({ reason, code, detail }: Refusal): (connection: Socket) => void {
  // One body for both surfaces and every protocol: nobody who knows their shapes reads the request.
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
    // Read to its end: what is unread when a socket closes would reset it, and the answer might be lost.
    connection.once('data', (head) => connection.end(isProbe(head) ? alive : refused).resume()).resume();
  };
}

/** Whether the process lives is what `/healthz` asks, and it does. */
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
