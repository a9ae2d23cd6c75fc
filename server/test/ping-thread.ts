// A thread that asks a server for its pulse without a pause: what it waits longest is how long the server was held.
import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const url: unknown = workerData;
if (typeof url !== 'string' || parentPort === null) throw new Error('the thread is given an address to ask');
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let longestMs = 0;
parentPort.on('message', () => {
  parentPort?.postMessage(longestMs);
  longestMs = 0;
});

const ping = (address: string) =>
  new Promise<void>((resolve, reject) => {
    get(address, { agent }, (response) => response.resume().once('end', resolve)).once('error', reject);
  });

for (;;) {
  const startedMs = performance.now();
  await ping(url);
  longestMs = Math.max(longestMs, performance.now() - startedMs);
  await pause(1);
}
