import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropic } from './anthropic-messages/vendor.ts';
import { cohere } from './cohere/vendor.ts';
import { google } from './gemini/vendor.ts';
import { createListener } from './http/listener.ts';
import { createJournal, type SandboxJournal } from './journal.ts';
import { ollama } from './ollama/vendor.ts';
import { openAi } from './openai/vendor.ts';

export interface Sandbox {
  /**
   * Origin in the form `http://host:port`. The base URL of OpenAI clients is `${origin}/v1`; other clients use the
   * origin.
   */
  origin: string;
  journal: SandboxJournal;
  /** Cuts responses in progress. The journal remains readable. */
  close(): Promise<void>;
}

// OpenAI is last, because it is the fallback for URLs that no other vendor owns.
const vendors = [anthropic, google, cohere, ollama, openAi];

/** Port 0 selects a free port. Rejects if the port is in use. */
export async function startSandbox({ host = '127.0.0.1', port = 0 } = {}): Promise<Sandbox> {
  const journal = createJournal();
  const answerCall = createListener(vendors, journal);
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    if (path === '/sandbox/journal') answerJournal(journal, request, response);
    else void answerCall(request, response);
  });
  // Longer than any client keeps an idle connection, so that the server does not close a connection just as a request
  // reuses it.
  server.keepAliveTimeout = 120_000;
  server.listen(port, host);
  await once(server, 'listening');

  return {
    origin: originOf(server.address()),
    journal,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function originOf(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') throw new Error('The sandbox listens on TCP only.');
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}

/** Journal access for other processes: GET lists the entries, DELETE clears them. */
function answerJournal(journal: SandboxJournal, request: IncomingMessage, response: ServerResponse): void {
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
