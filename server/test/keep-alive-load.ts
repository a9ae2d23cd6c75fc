// Thread with many connections that each send the next GET when they have received the last response.
import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

export interface KeepAliveLoad {
  readonly url: string;
  readonly token: string;
  readonly connections: number;
}

const { url, token, connections }: KeepAliveLoad = workerData;
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const counts: Record<string, number> = {};
let isStopping = false;

const ask = () =>
  new Promise<string>((resolve) => {
    get(url, { agent, headers: { authorization: `Bearer ${token}` } }, (answer) => {
      answer.resume().once('close', () => resolve(String(answer.statusCode)));
    }).once('error', () => resolve('failed'));
  });

parentPort?.once('message', () => {
  isStopping = true;
});
await Promise.all(
  Array.from({ length: connections }, async () => {
    while (!isStopping) {
      const status = await ask();
      counts[status] = (counts[status] ?? 0) + 1;
    }
  }),
);
agent.destroy();
parentPort?.postMessage(counts);
