import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Principal } from '#domain/principal.ts';
import { addPerson, addTenant } from '#test/console/console.ts';
import {
  assignTask,
  clientId,
  createToolsConsole,
  openSessionOf,
  type ToolsConsole,
} from '#test/console/tools-console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { emptyTables } from '#test/database/empty-tables.ts';

let database: TestDatabase;
let tools: ToolsConsole;
let mara: Principal;
let assignment: { id: number; taskId: number };

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await emptyTables(database, 'tenants', 'login_attempts', 'device_codes');
  const { pool } = database;
  mara = await openSessionOf(
    pool,
    await addPerson(pool, await addTenant(pool, 'One'), 'user', 'mara@one.test'),
  );
  assignment = await assignTask(pool, mara);
  tools = createToolsConsole(pool);
});

async function allowOne(): Promise<string> {
  const form = { client_id: clientId, device_name: 'laptop' };
  const { device_code, user_code } = await tools.as().authorizeDevice({ form });
  await tools.as(mara).allowTool({ body: { user_code, task_id: assignment.id } });
  return device_code;
}

/**
 * Runs two statements in one transaction. Between them, starts `work`, which waits for a lock acquired by the first
 * statement.
 */
async function interleave<Result>(
  first: string,
  work: () => Promise<Result>,
  second: string,
): Promise<PromiseSettledResult<Result>> {
  const client = await database.pool.connect();
  await client.query('BEGIN');
  await client.query(first);
  const outcome = Promise.allSettled([work()]);
  try {
    await untilWaiting();
    await client.query(second);
    await client.query('COMMIT');
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
  return (await outcome)[0]!;
}

/** Use another connection, because statistics do not change within a transaction. */
async function untilWaiting(): Promise<void> {
  for (;;) {
    const { rows } = await database.pool.query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    if (rows.length > 0) return;
    await pause(5);
  }
}

describe('the order of locks', () => {
  it('a sign-out ends a tool that collects its first key at the same time', async () => {
    const deviceCode = await allowOne();
    const outcome = await interleave(
      'SELECT FROM sessions FOR UPDATE',
      () => tools.poll(deviceCode),
      'UPDATE sessions SET ended_at = now()',
    );
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'access_denied' } });
    const { rows } = await database.pool.query('SELECT revoked_at IS NOT NULL AS ended FROM signed_in_tools');
    expect(rows).toEqual([{ ended: true }]);
  });

  it.each([
    ['closed', 'UPDATE tasks SET is_active = false'],
    ['unassigned', 'DELETE FROM task_assignments'],
    ['completed', "UPDATE task_assignments SET status = 'completed', ended_at = now()"],
  ])('a task can be %s while a tool renews its key', async (_name, statement) => {
    await tools.poll(await allowOne());
    // Acquire the locks in the order of a renewal: the tool, then its keys.
    const outcome = await interleave(
      'SELECT FROM signed_in_tools FOR UPDATE',
      () => database.pool.query(statement),
      'UPDATE api_keys SET superseded_at = now()',
    );
    expect(outcome).toMatchObject({ status: 'fulfilled' });
    const { rows } = await database.pool.query(
      'SELECT DISTINCT revoked_at IS NOT NULL AS ended FROM api_keys WHERE kind = $1',
      ['task'],
    );
    expect(rows).toEqual([{ ended: true }]);
  });
});
