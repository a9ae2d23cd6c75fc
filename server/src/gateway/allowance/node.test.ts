import { expect, it, onTestFinished } from 'vitest';
import { createLogger } from '#platform/logger.ts';
import { startNode } from './node.ts';

const databaseNowMs = Date.parse('2031-01-01T00:00:00Z');
const log = createLogger('silent');

async function start(
  renew: (nodeId: string) => Promise<number | null>,
  times = { timeToLiveMs: 400, renewMs: 10 },
) {
  const registered: string[] = [];
  const kept: string[] = [];
  const node = await startNode({
    database: {
      async register(nodeId) {
        expect(kept).toContain(nodeId);
        registered.push(nodeId);
        return databaseNowMs;
      },
      renew,
    },
    keepId: (nodeId) => kept.push(nodeId),
    log,
    ...times,
  });
  onTestFinished(() => node.stop());
  return { node, registered };
}

it("startNode uses the database's clock, not its own", async () => {
  const { node } = await start(async () => databaseNowMs, { timeToLiveMs: 60_000, renewMs: 60_000 });
  expect(Math.abs(node.nowMs() - databaseNowMs)).toBeLessThan(60_000);
});

it('a node is not live while the database is unavailable, and is live again once it reconnects', async () => {
  let isAway = false;
  const { node } = await start(async () => {
    if (isAway) throw new Error('away');
    return databaseNowMs;
  });
  expect(node.isLive()).toBe(true);
  isAway = true;
  await expect.poll(node.isLive, { interval: 5 }).toBe(false);
  isAway = false;
  await expect.poll(node.isLive, { interval: 5 }).toBe(true);
});

it('a node whose leases have expired registers under a new id', async () => {
  const { node, registered } = await start(async (nodeId) =>
    nodeId === registered[0] ? null : databaseNowMs,
  );
  await expect.poll(() => registered.length).toBe(2);
  await expect.poll(() => node.id).toBe(registered[1]);
});
