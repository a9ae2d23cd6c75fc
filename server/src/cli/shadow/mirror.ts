import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { UsageError } from '../command.ts';
import type { RecordedRequest } from './requests-file.ts';

/** Limits for copies that wait for their entry in the other log. Further copies are counted and dropped. */
const waitingMax = 20_000;
const waitingBytesMax = 256 * 1024 * 1024;
const connectionsMax = 2_000;
const requestTimeoutMs = 30_000;

/** Receiver of request copies, as sent by nginx's `mirror`. Responds to each copy with 204. */
export interface Mirror {
  /** Removes and returns the requests received before this time, oldest first. */
  take(beforeMs: number): RecordedRequest[];
  readonly dropped: number;
  close(): Promise<void>;
}

export async function openMirror(listen: string, bodyLimitBytes: number): Promise<Mirror> {
  const { host, port } = readAddress(listen);
  const waiting: RecordedRequest[] = [];
  const held = { bytes: 0 };
  let dropped = 0;
  const server = createServer({ requestTimeout: requestTimeoutMs }, (request, response) => {
    void receive(request, response, bodyLimitBytes, held).then(
      (received) => {
        if (received === 'ignored') return;
        if (received !== 'dropped' && waiting.length < waitingMax) waiting.push(received);
        else {
          dropped++;
          if (received !== 'dropped') held.bytes -= received.body.length;
        }
      },
      () => void dropped++,
    );
  });
  server.maxConnections = connectionsMax;
  server.listen(port, host);
  await once(server, 'listening');
  return {
    take(beforeMs) {
      const end = waiting.findIndex(({ receivedAtMs }) => receivedAtMs >= beforeMs);
      const taken = waiting.splice(0, end === -1 ? waiting.length : end);
      for (const { body } of taken) held.bytes -= body.length;
      return taken;
    },
    get dropped() {
      return dropped;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
    },
  };
}

function readAddress(text: string): { host: string; port: number } {
  const match = /^(?:(\[[0-9a-fA-F:]+\]|[^:]+):)?(\d{1,5})$/.exec(text);
  const port = Number(match?.[2]);
  if (!match || port > 65_535)
    throw new UsageError(`--listen must be a port or HOST:PORT, such as 127.0.0.1:8090, not "${text}".`);
  return { host: match[1]?.replace(/^\[|\]$/g, '') ?? '127.0.0.1', port };
}

/** Drops copies that are too large or exceed the limit of all waiting copies. Ignores methods other than POST. */
async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  bodyLimitBytes: number,
  held: { bytes: number },
): Promise<RecordedRequest | 'dropped' | 'ignored'> {
  const receivedAtMs = Date.now();
  const { headers, method, url = '/' } = request;
  const chunks: Buffer[] = [];
  let bytes = 0;
  let isKept = method === 'POST';
  const release = () => {
    chunks.length = 0;
    held.bytes -= bytes;
    bytes = 0;
    isKept = false;
  };
  try {
    for await (const chunk of request) {
      if (!isKept) continue;
      bytes += chunk.length;
      held.bytes += chunk.length;
      chunks.push(chunk);
      if (bytes > bodyLimitBytes || held.bytes > waitingBytesMax) release();
    }
  } catch (error) {
    release();
    throw error;
  }
  response.writeHead(204).end();
  if (method !== 'POST') return 'ignored';
  if (!isKept) return 'dropped';
  const original = headers['x-original-uri'];
  return {
    receivedAtMs,
    path: typeof original === 'string' ? original : url,
    headers,
    address: readClientAddress(headers['x-real-ip'] ?? headers['x-forwarded-for']),
    keyDigest: null,
    body: Buffer.concat(chunks),
    hasPrompt: true,
    requestId: null,
  };
}

const readClientAddress = (value: string | string[] | undefined) =>
  [value ?? ''].flat().join(',').split(',', 1)[0]?.trim() ?? '';
