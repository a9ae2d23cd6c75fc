// Thread with many connections. Each sends its next request when the previous response is complete.
import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

export interface KeepAliveLoad {
  readonly url: string;
  /** Bearer token; `null` sends no credential. */
  readonly token: string | null;
  /** Form to post. Without a form, requests are GETs. */
  readonly form?: string;
  readonly connections: number;
}

const { url, token, form, connections }: KeepAliveLoad = workerData;
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const counts: Record<string, number> = {};
let isStopping = false;

const ask = () =>
  new Promise<string>((resolve) => {
    const headers = {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
    };
    request(url, { agent, method: form === undefined ? 'GET' : 'POST', headers }, (answer) => {
      answer.resume().once('close', () => resolve(String(answer.statusCode)));
    })
      .once('error', () => resolve('failed'))
      .end(form);
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
