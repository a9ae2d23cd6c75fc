import { getPriority } from 'node:os';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSluice, type SluiceProcess } from '#test/processes/sluice-process.ts';

const token = 'a-token-for-the-metrics';
const model = 'sandbox-normal';
let sluice: SluiceProcess;
beforeAll(async () => {
  sluice = await createSluice({ SLUICE_WORKERS: '2', SLUICE_METRICS_TOKEN: token, LOG_LEVEL: 'silent' });
  await sluice.start();
});
afterAll(() => sluice.remove());

const scrape = async () => {
  const headers = { authorization: `Bearer ${token}`, connection: 'close' };
  return (await fetch(`${sluice.origin}/metrics`, { headers })).text();
};
const read = async (sample: string) => {
  const line = (await scrape()).split('\n').find((one) => one.startsWith(`${sample} `));
  return line === undefined ? null : Number(line.slice(sample.length));
};
const ask = (count: number) =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const response = await fetch(`${sluice.origin}/api/v1/chat/completions`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${sluice.apiKey}`,
          'content-type': 'application/json',
          connection: 'close',
        },
        body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
      });
      await response.text();
      expect(response.status).toBe(200);
    }),
  );
const answered =
  'sluice_requests_total{protocol="openai-chat",operation="chat.completions",provider="sandbox",status_class="2xx"}';

it('/metrics returns the node total from any worker, including a killed one', async () => {
  await ask(20);
  await expect.poll(() => read(answered)).toBe(20);
  expect(await Promise.all([read(answered), read(answered), read(answered)])).toEqual([20, 20, 20]);
  const isEachReady = () => expect.poll(() => read('sluice_workers{state="ready"}')).toBe(2);
  await isEachReady();
  await expect.poll(() => read('sluice_journal_backlog_bytes')).toBe(0);
  expect(await read('sluice_journal_backlog_age_seconds')).toBe(0);
  for (const kind of ['worker', 'shipper', 'supervisor']) {
    expect(await read(`sluice_process_resident_memory_bytes{process="${kind}"}`)).toBeGreaterThan(1e7);
  }
  const [pid] = sluice.pids('workers');
  process.kill(pid ?? 0, 'SIGKILL');
  await expect.poll(() => read('sluice_process_exits_total{process="worker"}').catch(() => null)).toBe(1);
  await isEachReady();
  expect(await read(answered)).toBe(20);
  await ask(4);
  await expect.poll(() => read(answered)).toBe(24);
});

it('shippers run with a lower priority than workers', () => {
  const priorityOf = (family: 'workers' | 'shippers') => getPriority(sluice.pids(family)[0]);
  expect(priorityOf('workers')).toBe(getPriority());
  expect(priorityOf('shippers')).toBe(Math.max(5, getPriority()));
});
