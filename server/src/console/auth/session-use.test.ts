import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSystemDatabase } from '#db/system.ts';
import { createLogger } from '#platform/logger.ts';
import { addPerson, addTenant } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createSessionUse } from './session-use.ts';

let database: TestDatabase;
const id = crypto.randomUUID();
beforeAll(async () => {
  database = await createTestDatabase();
  const tenantId = await addTenant(database.pool, 'One');
  const { userId } = await addPerson(database.pool, tenantId, 'user', 'mara@one.test');
  await database.pool.query(
    `INSERT INTO sessions (id, tenant_id, user_id, address, user_agent, expires_at)
     VALUES ($1, $2, $3, 'x', 'x', now() + interval '1 hour')`,
    [id, tenantId, userId],
  );
});
afterAll(() => database.close());

it('createSessionUse writes the use of a session at most once in five minutes', async () => {
  let nowMs = Date.UTC(2026, 10, 20);
  let writes = 0;
  const system = createSystemDatabase(database.pool);
  const counted = new Proxy(system, {
    get(target, name, receiver) {
      if (name === 'update') writes++;
      return Reflect.get(target, name, receiver);
    },
  });
  const use = createSessionUse({ database: counted, log: createLogger('silent'), clock: () => nowMs });
  for (let times = 0; times < 100; times++) use.note(id);
  await use.stop();
  expect(writes).toBe(1);
  const { rows } = await database.pool.query('SELECT last_used_at FROM sessions');
  expect(rows[0].last_used_at).toBeInstanceOf(Date);

  nowMs += 4 * 60_000;
  use.note(id);
  await use.stop();
  expect(writes).toBe(1);
  nowMs += 60_000;
  use.note(id);
  await use.stop();
  expect(writes).toBe(2);
});
