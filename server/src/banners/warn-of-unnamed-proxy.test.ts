import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSystemDatabase } from '#db/system.ts';
import { startHttpServer } from '../../test/console-server.ts';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { listBanners } from './banners.ts';
import { createProxyWarning, withdrawProxyWarning } from './warn-of-unnamed-proxy.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

it('operators are told of a proxy that nobody has named, in the log once and by a banner until a start', async () => {
  const system = createSystemDatabase(database.pool);
  const warnings: unknown[] = [];
  let nowMs = Date.UTC(2026, 10, 20, 10);
  const log = { warn: (fields: object) => warnings.push(fields) };
  // safe because a warning is all that is logged
  const warn = createProxyWarning({ database: system, log: log as never, clock: () => nowMs });
  await using server = await startProxied(warn);
  const bannerIds = async (role: 'super_admin' | 'admin') =>
    (await listBanners(system, role)).map(({ id }) => id);

  for (let times = 0; times < 3; times++) await server.ask();
  await expect.poll(() => bannerIds('super_admin')).toEqual(['unnamed-proxy']);
  expect((await listBanners(system, 'super_admin'))[0]?.message).toMatch(
    /127\.0\.0\.1 that SLUICE_TRUSTED_PROXIES/,
  );
  expect(await bannerIds('admin')).toEqual([]);
  expect(warnings).toEqual([{ address: '127.0.0.1' }]);

  await withdrawProxyWarning(system);
  await server.ask();
  expect(await bannerIds('super_admin')).toEqual([]);
  nowMs += 10 * 60_000;
  await server.ask();
  await expect.poll(() => bannerIds('super_admin')).toEqual(['unnamed-proxy']);
  expect(warnings).toHaveLength(1);
});

async function startProxied(onUnnamedProxy: (address: string) => void) {
  const server = await startHttpServer({ onUnnamedProxy });
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  return {
    ask: () => fetch(`${server.origin}/healthz`, { headers }),
    [Symbol.asyncDispose]: server.close,
  };
}
