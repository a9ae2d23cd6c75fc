// Provider and clients in one process with one clock. The provider writes the time into each event, and the clients
// read it. The process runs orders of its parent process and exits together with it.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { percentile } from '../report/statistics.ts';
import {
  streamModel as model,
  type StreamOrder,
  type StreamReply,
  type StreamResult,
} from './stream-order.ts';

const answersWithinMs = 20_000;

const provider = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const { messages } = JSON.parse(Buffer.concat(chunks).toString());
    const [eventsPerSecond = 20, seconds = 1] = messages[0].content.split(' ').map(Number);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    writeEvents(response, eventsPerSecond, eventsPerSecond * seconds);
  });
});

function writeEvents(response: ServerResponse, eventsPerSecond: number, count: number): void {
  let sent = 0;
  const write = (delta: object, rest: object = {}) => {
    const choice = { index: 0, delta, finish_reason: null, ...rest };
    const event = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model, choices: [choice] };
    response.write(`data: ${JSON.stringify(event)}\n\n`);
  };
  const timer = setInterval(() => {
    write({ content: `t${performance.now().toFixed(2)} ` });
    sent += 1;
    if (sent < count) return;
    clearInterval(timer);
    write({}, { finish_reason: 'stop' });
    response.end('data: [DONE]\n\n');
  }, 1000 / eventsPerSecond);
  response.on('close', () => clearInterval(timer));
}

/** Opens streams, spread over the first second, and reads them until they end. */
async function readStreams(order: StreamOrder): Promise<StreamResult> {
  const url = new URL(order.url);
  const body = JSON.stringify({
    model,
    stream: true,
    messages: [{ role: 'user', content: `${order.eventsPerSecond} ${order.seconds}` }],
  });
  const headers = { host: url.host, 'content-type': 'application/json', ...order.headers };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = `POST ${url.pathname} HTTP/1.1\r\n${head.join('')}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  const delaysMs: number[] = [];
  const streams = Array.from({ length: order.streams }, (_, index) =>
    readStream(url, request, (index * 1000) / order.streams, delaysMs),
  );
  const deadline = Promise.withResolvers<never>();
  const withinMs = order.seconds * 1000 + answersWithinMs;
  const timer = setTimeout(() => deadline.reject(new Error('a stream did not end')), withinMs);
  await Promise.race([Promise.all(streams), deadline.promise]);
  clearTimeout(timer);
  return { events: delaysMs.length, p50Ms: percentile(delaysMs, 0.5), p99Ms: percentile(delaysMs, 0.99) };
}

function readStream(url: URL, request: string, afterMs: number, delaysMs: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    setTimeout(() => {
      const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
      let rest = '';
      socket.once('connect', () => socket.write(request));
      socket.on('error', reject);
      socket.on('close', () => reject(new Error('a stream was interrupted')));
      socket.on('data', (chunk: Buffer) => {
        const now = performance.now();
        const text = rest + chunk.toString('latin1');
        let end = 0;
        for (const { index, 0: found, 1: sentAtMs } of text.matchAll(/"t(\d+\.\d\d) "/g)) {
          delaysMs.push(now - Number(sentAtMs));
          end = index + found.length;
        }
        rest = text.slice(Math.max(end, text.length - 32));
        if (!text.includes('[DONE]')) return;
        socket.removeAllListeners('close').destroy();
        resolve();
      });
    }, afterMs);
  });
}

process.on('message', async (order: StreamOrder) => {
  const reply: StreamReply = await readStreams(order).then(
    (result) => ({ result }),
    (error: Error) => ({ failure: error.message }),
  );
  process.send?.(reply);
});
process.once('disconnect', () => process.exit());
provider.listen(0, '127.0.0.1');
await once(provider, 'listening');
const address = provider.address();
if (address !== null && typeof address === 'object')
  process.send?.({ origin: `http://127.0.0.1:${address.port}` });
