import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSystemDatabase } from '#db/system.ts';
import { createLogger } from '#platform/logger.ts';
import { addPerson, addTenant } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { deleteExpiredSessions } from './delete-old-rows.ts';
import { runAlone } from './run-alone.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

it('deleteExpiredSessions deletes expired sessions, but keeps the last of each address for 90 days', async () => {
  const tenantId = await addTenant(database.pool, 'One');
  const { userId } = await addPerson(database.pool, tenantId, 'user', 'mara@one.test');
  const add = (name: string, address: string, days: number) =>
    database.pool.query(
      `INSERT INTO sessions (id, tenant_id, user_id, address, user_agent, created_at, expires_at)
       VALUES (gen_random_uuid(), $1, $2, $3, $4, now() - $5 * interval '1 day' - interval '12 hours', now() - $5 * interval '1 day')`,
      [tenantId, userId, address, name, days],
    );
  await add('alive', '192.0.2.1', -0.1);
  await add('before it', '192.0.2.1', 1);
  await add('last of its address', '192.0.2.2', 89);
  await add('before that', '192.0.2.2', 89.5);
  await add('last, but too old', '192.0.2.3', 91);
  await runAlone(createSystemDatabase(database.pool), deleteExpiredSessions, createLogger('silent'));
  const { rows } = await database.pool.query('SELECT user_agent FROM sessions ORDER BY expires_at DESC');
  expect(rows.map((row) => row.user_agent)).toEqual(['alive', 'last of its address']);
});
