import { createClient, logsOf, logsRoutes } from '@sluice/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithBucket, startBucket, type TestBucket } from '#test/object-store/start-bucket.ts';
import { createSluice, type SluiceProcess } from '#test/processes/sluice-process.ts';
import { signIn } from '#test/providers/outside-provider.ts';

const token = 'a-token-for-the-metrics';
let bucket: TestBucket;
let sluice: SluiceProcess;

const ask = (from: number, count: number) =>
  Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const content = `Question ${from + index} ${'and '.repeat(index % 2 === 0 ? 800 : 1)}`;
      const response = await fetch(`${sluice.origin}/api/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${sluice.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'sandbox-normal', messages: [{ role: 'user', content }] }),
      });
      await response.text();
      expect(response.status).toBe(200);
      return content;
    }),
  );

async function readBacklog(): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const metrics = await (await fetch(`${sluice.origin}/metrics`, { headers })).text();
  return Number(/^sluice_journal_backlog_bytes (\d+)/m.exec(metrics)?.[1]);
}

async function readLogs() {
  const client = createClient(logsRoutes, await signIn(sluice));
  const rows = logsOf(await client.listLogs({ query: { limit: 100 } }));
  const texts = await Promise.all(
    rows.map(async ({ id }) => {
      const { prompt } = await client.getLog({ params: { id } });
      const { body } = await client.getLogBody({ params: { id } });
      return { prompt, sent: JSON.parse(body ?? '{}').messages?.[0]?.content };
    }),
  );
  return texts.toSorted((one, next) => String(one.prompt).localeCompare(String(next.prompt)));
}

describeWithBucket('the product with bodies in object storage', () => {
  beforeAll(async () => {
    bucket = await startBucket('');
    const { accessKeyId, bucket: name, endpoint, secretKey } = bucket.config;
    sluice = await createSluice({
      SLUICE_WORKERS: '1',
      SLUICE_METRICS_TOKEN: token,
      SLUICE_BODY_STORE: `s3://${name}?endpoint=${endpoint}`,
      SLUICE_LOG_EXPORT: `s3://${name}/lake?endpoint=${endpoint}`,
      SLUICE_SEARCHED_LENGTH: '2000',
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretKey,
    });
    await sluice.start();
  });
  afterAll(async () => {
    await sluice.remove();
    await bucket.close();
  });

  it('requests are served while object storage is unavailable, and each has one row with its texts, even if processes are killed', async () => {
    const sent = await ask(10, 4);
    await expect.poll(readBacklog, { timeout: 30_000 }).toBe(0);
    await bucket.kill();
    sent.push(...(await ask(20, 6)));
    await expect
      .poll(() => sluice.logged.join('\n'), { timeout: 30_000 })
      .toMatch(/The object storage cannot be reached \(\w+\)/);
    expect(await readBacklog()).toBeGreaterThan(0);
    sluice.signal('SIGKILL', 'shippers');
    sent.push(...(await ask(30, 6)));
    for (const pid of sluice.pids('workers')) process.kill(pid, 'SIGKILL');
    await bucket.restart();
    sluice.signal('SIGKILL', 'shippers');
    await expect.poll(() => readBacklog().catch(() => null), { timeout: 60_000 }).toBe(0);
    const expected = sent.toSorted((one, next) => one.localeCompare(next));
    expect(await readLogs()).toEqual(expected.map((prompt) => ({ prompt, sent: prompt })));
    expect(sluice.logged.join('\n')).not.toContain(bucket.config.secretKey);
    expect(sluice.logged.join('\n')).not.toContain(bucket.config.accessKeyId);
  });
});
