// Thread that sends health checks continuously. The longest response time shows how long the server was blocked.
import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { readCpuMs } from '#test/processes/cpu-time.ts';

const { url, pid }: { url: string; pid: number } = workerData;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let longestMs = 0;
parentPort?.on('message', () => {
  parentPort?.postMessage(longestMs);
  longestMs = 0;
});

const ping = () =>
  new Promise<void>((resolve, reject) => {
    get(url, { agent }, (response) => response.resume().once('end', resolve)).once('error', reject);
  });

for (;;) {
  const startedMs = performance.now();
  const usedMs = readCpuMs(pid);
  await ping();
  // Only the process's own CPU time counts as blocked, not the CPU time of other processes.
  const heldMs = Math.min(performance.now() - startedMs, readCpuMs(pid) - usedMs);
  longestMs = Math.max(longestMs, heldMs);
  await pause(1);
}
