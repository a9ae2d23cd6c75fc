import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSystemDatabase } from '#db/system.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { listBanners } from './banners.ts';
import { createProxyWarning, withdrawProxyWarning } from './proxy-warning.ts';

let database: TestDatabase;
let system: ReturnType<typeof createSystemDatabase>;
let warnings: object[];
let nowMs = Date.UTC(2026, 10, 20, 10);

beforeAll(async () => {
  database = await createTestDatabase();
  system = createSystemDatabase(database.pool);
});
afterAll(() => database.close());
beforeEach(async () => {
  warnings = [];
  await withdrawProxyWarning(system);
});

const log = { warn: (fields: object) => warnings.push(fields) };
// safe because only warnings are logged
const createWarning = () => createProxyWarning({ database: system, log: log as never, clock: () => nowMs });
const superAdmin = { role: 'super_admin' } as const;
const forwarded = (peer: string) => ({ peer, isForwardedUnverified: true });
const bannersOf = (role: 'super_admin' | 'admin') => listBanners(system, role);

it('createProxyWarning logs once and renews one banner if all requests come through one private proxy that is not configured', async () => {
  const warn = createWarning();
  for (let times = 0; times < 3; times++) warn(superAdmin, forwarded('172.18.0.1'));
  await expect
    .poll(async () => (await bannersOf('super_admin')).map(({ id }) => id))
    .toEqual(['unnamed-proxy']);
  expect((await bannersOf('super_admin'))[0]?.message).toMatch(
    /172\.18\.0\.1 .*If your reverse proxy runs there/,
  );
  expect(await bannersOf('admin')).toEqual([]);
  expect(warnings).toEqual([{ peer: '172.18.0.1' }]);
  await withdrawProxyWarning(system);
  nowMs += 10 * 60_000;
  warn(superAdmin, forwarded('172.18.0.1'));
  await expect.poll(async () => (await bannersOf('super_admin')).length).toBe(1);
  expect(warnings).toHaveLength(1);
});

describe('requests without a warning', () => {
  it.each<[string, (warn: ReturnType<typeof createWarning>) => void]>([
    ['a request by a user', (warn) => warn({ role: 'user' }, forwarded('172.18.0.1'))],
    ['a request by an administrator of a tenant', (warn) => warn({ role: 'admin' }, forwarded('172.18.0.1'))],
    ['a request from a public peer', (warn) => warn(superAdmin, forwarded('203.0.113.9'))],
    ['a request from an unreadable peer', (warn) => warn(superAdmin, forwarded(''))],
    [
      'a request without forwarding headers',
      (warn) => warn(superAdmin, { peer: '10.0.0.1', isForwardedUnverified: false }),
    ],
    [
      'signed-in requests from two peers',
      (warn) => {
        warn({ role: 'user' }, { peer: '10.0.0.2', isForwardedUnverified: false });
        warn(superAdmin, forwarded('10.0.0.1'));
      },
    ],
  ])('createProxyWarning logs no warning for %s', (_name, act) => {
    act(createWarning());
    expect(warnings).toEqual([]);
  });
});
