import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { UsageError } from '../command.ts';
import type { RecordedRequest } from './requests-file.ts';

/** Limits for copies that wait for their entry in the other log. Further copies are counted and dropped. */
const waitingMax = 20_000;
const waitingBytesMax = 256 * 1024 * 1024;

/** Receives copies of requests, as nginx's `mirror` sends them, and responds to each with 204. */
export interface Mirror {
  /** Removes and returns the requests received before this time, oldest first. */
  take(beforeMs: number): RecordedRequest[];
  readonly waiting: number;
  readonly dropped: number;
  close(): Promise<void>;
}

export async function openMirror(listen: string, bodyLimitBytes: number): Promise<Mirror> {
  const { host, port } = readAddress(listen);
  const waiting: RecordedRequest[] = [];
  let waitingBytes = 0;
  let dropped = 0;
  const keep = (request: RecordedRequest) => {
    if (waiting.length >= waitingMax || waitingBytes + request.body.length > waitingBytesMax) dropped++;
    else {
      waiting.push(request);
      waitingBytes += request.body.length;
    }
  };
  const server = createServer((request, response) => {
    void receive(request, response, bodyLimitBytes).then(
      (received) => (received ? keep(received) : undefined),
      () => void dropped++,
    );
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    take(beforeMs) {
      const end = waiting.findIndex(({ receivedAtMs }) => receivedAtMs >= beforeMs);
      const taken = waiting.splice(0, end === -1 ? waiting.length : end);
      for (const { body } of taken) waitingBytes -= body.length;
      return taken;
    },
    get waiting() {
      return waiting.length;
    },
    get dropped() {
      return dropped;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
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

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  bodyLimitBytes: number,
): Promise<RecordedRequest | null> {
  const receivedAtMs = Date.now();
  const { headers, method, url = '/' } = request;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes <= bodyLimitBytes) chunks.push(chunk);
  }
  response.writeHead(204).end();
  if (method !== 'POST' || bytes > bodyLimitBytes) return null;
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
