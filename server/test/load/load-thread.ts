import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort } from 'node:worker_threads';
import { completionText } from '../providers/scripted-provider.ts';

export interface LoadThreadOrder {
  readonly url: string;
  readonly apiKey: string;
  readonly body: string;
  readonly requests: number;
}

// Runs in a separate thread, so that its memory is not part of the heap of the worker under test.
const agent = new Agent({ keepAlive: true, maxSockets: 4 });
const provider = createServer((incoming, outgoing) => {
  incoming.resume().on('end', () => {
    outgoing.writeHead(200, { 'content-type': 'application/json' }).end(completionText);
  });
});
provider.listen(0, '127.0.0.1');
await once(provider, 'listening');
// safe because the provider listens on a TCP port
parentPort?.postMessage({ providerPort: (provider.address() as AddressInfo).port });

parentPort?.on('message', async ({ url, apiKey, body, requests }: LoadThreadOrder) => {
  let left = requests;
  const failures: string[] = [];
  const sendAll = async () => {
    while (left-- > 0) {
      const status = await send(url, apiKey, body);
      if (status !== 200) failures.push(`status ${status}`);
    }
  };
  await Promise.all(Array.from({ length: 4 }, sendAll));
  parentPort?.postMessage({ failures });
});

async function send(url: string, apiKey: string, body: string): Promise<number> {
  const outgoing = request(url, {
    agent,
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
  });
  outgoing.end(body);
  // safe because the event has one argument
  const [response] = (await once(outgoing, 'response')) as [import('node:http').IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response.statusCode ?? 0;
}
