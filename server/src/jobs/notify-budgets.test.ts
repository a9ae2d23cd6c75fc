import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createSystemDatabase, type SystemDatabase } from '#db/system.ts';
import { findPeriodWindow } from '#domain/allowance/period.ts';
import type { Principal } from '#domain/principal.ts';
import { createMailbox } from '#mail/mailbox.ts';
import { createKeyring } from '#platform/keyring.ts';
import { createLogger } from '#platform/logger.ts';
import { addPerson, addTenant } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { endBudgetRaises } from './keep-allowances.ts';
import { createNotifyBudgets } from './notify-budgets.ts';
import { runAlone } from './run-alone.ts';

let database: TestDatabase;
let system: SystemDatabase;
let mara: Principal;
let sam: Principal;
let teamId: number;
let emptyTeamId: number;
const log = createLogger('silent');
const mailbox = createMailbox({ keyring: createKeyring('test'), hasServer: true });
const job = createNotifyBudgets({ mailbox, publicUrl: 'https://sluice.test', sendsAlerts: true });

beforeAll(async () => {
  database = await createTestDatabase();
  system = createSystemDatabase(database.pool);
  const tenantId = await addTenant(database.pool, 'One', { timeZone: 'Europe/Berlin' });
  await addPerson(database.pool, tenantId, 'admin', 'admin@one.test');
  mara = await addPerson(database.pool, tenantId, 'user', 'mara@one.test');
  sam = await addPerson(database.pool, tenantId, 'user', 'sam@one.test');
  const lead = await addPerson(database.pool, tenantId, 'user', 'lead@one.test');
  const { rows } = await database.pool.query<{ id: number }>(
    "INSERT INTO teams (tenant_id, name) VALUES ($1, 'Platform'), ($1, 'Empty') RETURNING id",
    [tenantId],
  );
  teamId = rows[0]!.id;
  emptyTeamId = rows[1]!.id;
  await database.pool.query(
    "INSERT INTO team_members (tenant_id, team_id, user_id, role) VALUES ($1, $2, $3, 'admin'), ($1, $2, $4, 'member')",
    [tenantId, teamId, lead.userId, sam.userId],
  );
});
afterAll(() => database.close());
beforeEach(() => database.pool.query('DELETE FROM budgets; DELETE FROM mails; DELETE FROM alerts'));

async function addBudget(owner: { user_id?: number; team_id?: number }): Promise<number> {
  const { rows } = await database.pool.query<{ id: number }>(
    `INSERT INTO budgets (tenant_id, user_id, team_id, measure, period, limit_amount)
     VALUES ($1, $2, $3, 'usd', 'month', 10000000000) RETURNING id`,
    [mara.tenantId, owner.user_id ?? null, owner.team_id ?? null],
  );
  return rows[0]!.id;
}

async function settle(id: number, usd: number, atMs = Date.now()): Promise<void> {
  const { startMs } = findPeriodWindow({ unit: 'month', startsAtMs: null }, atMs, 'Europe/Berlin');
  await database.pool.query(
    `INSERT INTO allowances (tenant_id, kind, subject_id, window_start, limit_amount, settled, last_used_at)
     VALUES ($1, 'usd_budget', $2, $3, 10000000000, $4, now())
     ON CONFLICT (kind, subject_id, window_start) DO UPDATE SET settled = EXCLUDED.settled`,
    [mara.tenantId, id, new Date(startMs).toISOString(), usd * 1e9],
  );
}

async function runAndRead() {
  await runAlone(system, job, log);
  await runAlone(system, job, log);
  const { rows: mails } = await database.pool.query<{ to: string; subject: string; body: string }>(
    'DELETE FROM mails RETURNING to_address AS to, subject, body',
  );
  const { rows: alerts } = await database.pool.query<{ severity: string; event: string }>(
    'DELETE FROM alerts RETURNING severity, event',
  );
  return { mails, alerts };
}

it('notifyBudgets notifies once per threshold, and again in the next window', async () => {
  const id = await addBudget({ user_id: mara.userId });
  await settle(id, 7.99);
  expect(await runAndRead()).toEqual({ mails: [], alerts: [] });
  await settle(id, 8);
  const near = await runAndRead();
  expect(near.mails).toMatchObject([
    { to: 'mara@one.test', subject: '80% of the monthly budget of user "mara" is used' },
  ]);
  expect(near.mails[0]!.body).toContain('$8.00 of $10.00 of the monthly budget of user "mara" is spent');
  expect(near.alerts).toEqual([{ severity: 'warning', event: 'raised' }]);
  await settle(id, 10.5);
  const full = await runAndRead();
  expect(full.mails).toMatchObject([{ subject: '100% of the monthly budget of user "mara" is used' }]);
  expect(full.alerts).toEqual([{ severity: 'error', event: 'raised' }]);
  await database.pool.query("UPDATE budget_notices SET window_start = window_start - interval '1 month'");
  await settle(id, 8.5);
  expect((await runAndRead()).mails).toMatchObject([
    { subject: '80% of the monthly budget of user "mara" is used' },
  ]);
});

interface Change {
  limit?: number;
  raised?: number | null;
  spent?: number;
}

it.each<[action: string, changes: Change[], notices: (number | null)[]]>([
  [
    'refuse',
    [{ spent: 10 }, { raised: 20 }, { spent: 15.99 }, { spent: 16 }, { spent: 20 }],
    [100, null, null, 80, 100],
  ],
  ['refuse', [{ spent: 8 }, { raised: 20 }, { spent: 15.99 }, { spent: 20 }], [80, null, null, 100]],
  ['refuse', [{ spent: 10 }, { raised: 20 }, { spent: 17 }, { raised: null }], [100, null, 80, 100]],
  ['refuse', [{ spent: 10 }, { limit: 20 }, { spent: 16 }, { spent: 20 }], [100, null, 80, 100]],
  ['refuse', [{ spent: 8 }, { limit: 8 }, { limit: 4 }, { limit: 10 }], [80, 100, null, null]],
  ['warn', [{ raised: 20 }, { spent: 15.99 }, { spent: 16 }, { spent: 20 }], [null, null, 80, 100]],
])(
  'notifyBudgets notifies once per threshold of the limit in effect: %s, %j',
  async (action, changes, notices) => {
    const id = await addBudget({});
    await settle(id, 0);
    await database.pool.query('UPDATE budgets SET action = $1', [action]);
    const percents: (number | null)[] = [];
    for (const { limit, raised, spent } of changes) {
      if (spent !== undefined) await settle(id, spent);
      if (limit !== undefined)
        await database.pool.query('UPDATE budgets SET limit_amount = $1', [limit * 1e9]);
      if (raised !== undefined)
        await database.pool.query(
          `UPDATE budgets SET raised_limit = $1::bigint, raise_reason = 'x',
             raised_until = CASE WHEN $1::bigint IS NOT NULL THEN now() + interval '1 hour' END`,
          [raised && raised * 1e9],
        );
      const { mails, alerts } = await runAndRead();
      expect(alerts).toHaveLength(mails.length);
      percents.push(mails[0] ? Number.parseInt(mails[0].subject, 10) : null);
    }
    expect(percents).toEqual(notices);
  },
);

it.each([
  ['the administrators of its team', () => ({ team_id: teamId }), ['lead@one.test']],
  [
    'its user and the administrators of its team',
    () => ({ team_id: teamId, user_id: mara.userId }),
    ['lead@one.test', 'mara@one.test'],
  ],
  [
    "its user and the administrators of the user's teams",
    () => ({ user_id: sam.userId }),
    ['lead@one.test', 'sam@one.test'],
  ],
  ['the administrators of the organization', () => ({}), ['admin@one.test']],
  [
    'the administrators of the organization if its team has none',
    () => ({ team_id: emptyTeamId }),
    ['admin@one.test'],
  ],
])('notifyBudgets notifies %s', async (_, owner, recipients) => {
  await settle(await addBudget(owner()), 9);
  const { mails } = await runAndRead();
  expect(mails.map(({ to }) => to).toSorted()).toEqual(recipients);
});

it('notifyBudgets ignores a window that is over', async () => {
  await settle(await addBudget({}), 9, Date.now() - 40 * 86_400_000);
  expect(await runAndRead()).toEqual({ mails: [], alerts: [] });
});

it('endBudgetRaises restores the limit of the running window once the raised limit has ended', async () => {
  const id = await addBudget({});
  await settle(id, 9);
  await database.pool.query(
    "UPDATE budgets SET raised_limit = 20000000000, raised_until = now() + interval '1 hour', raise_reason = 'x'",
  );
  const readLimit = async () =>
    (
      await database.pool.query(
        'SELECT limit_amount::float8 / 1e9 AS usd FROM allowances WHERE subject_id = $1',
        [id],
      )
    ).rows;
  await runAlone(system, endBudgetRaises, log);
  expect(await readLimit()).toEqual([{ usd: 20 }]);
  await database.pool.query("UPDATE budgets SET raised_until = now() - interval '1 second'");
  await runAlone(system, endBudgetRaises, log);
  expect(await readLimit()).toEqual([{ usd: 10 }]);
  const { rows } = await database.pool.query('SELECT raised_limit, raise_reason FROM budgets');
  expect(rows).toEqual([{ raised_limit: null, raise_reason: null }]);
});
