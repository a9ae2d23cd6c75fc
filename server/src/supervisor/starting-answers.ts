import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { type ErrorCode, unreadyReasons } from '@sluice/contract';

/** So many connections that nobody can take are answered at once; further ones are closed. */
const overflowMax = 256;
const overflowAnswerMs = 2_000;

/** What the node answers by itself, for lack of a worker. */
export const createNodeAnswers = () => ({
  answerStarting: createStartingAnswers(),
  answerOverflow: createOverflowAnswers(),
});

/** Answers connections while no worker has been ready yet: the process lives, and takes nothing. */
function createStartingAnswers(): (connection: Socket) => void {
  return createRefusals({ reason: 'starting', code: 'not_ready', detail: unreadyReasons.starting });
}

/** Answers connections that no worker has taken in time, while as many wait as may. */
export function createOverflowAnswers(): (connection: Socket) => void {
  const detail = 'This node has more connections than it can take.';
  const answer = createRefusals({ reason: 'overloaded', code: 'overloaded', detail });
  let open = 0;
  return (connection) => {
    if (open >= overflowMax) return void connection.destroy();
    open++;
    connection.once('close', () => open--);
    connection.setTimeout(overflowAnswerMs, () => connection.destroy());
    answer(connection);
  };
}

interface Refusal {
  readonly reason: string;
  readonly code: ErrorCode;
  readonly detail: string;
}

function createRefusals({ reason, code, detail }: Refusal): (connection: Socket) => void {
  // One body for both surfaces and every protocol: nobody who knows their shapes reads the request.
  const refusal = JSON.stringify({
    detail,
    reason,
    type: 'error',
    error: { type: 'overloaded_error', code, status: 'UNAVAILABLE', message: `${detail} Please retry.` },
  });
  const server = createServer((request, response) => {
    const isAlive = request.method === 'GET' && request.url?.split('?')[0] === '/healthz';
    response.writeHead(isAlive ? 200 : 503, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      connection: 'close',
      ...(!isAlive && { 'retry-after': '1' }),
    });
    response.end(isAlive ? '{"status":"ok"}' : refusal);
  });
  return (connection) => {
    server.emit('connection', connection);
    connection.resume();
  };
}
