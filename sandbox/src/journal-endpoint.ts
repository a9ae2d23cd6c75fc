import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SandboxJournal } from './journal.ts';

/** Journal access for other processes: GET lists the entries, DELETE clears them. */
export function answerJournal(
  journal: SandboxJournal,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  switch (request.method) {
    case 'GET':
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(journal.entries()));
      return;
    case 'DELETE':
      journal.clear();
      response.writeHead(204).end();
      return;
    default:
      response.writeHead(405, { allow: 'GET, DELETE' }).end();
  }
}
