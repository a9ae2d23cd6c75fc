import { usersRoutes } from '@sluice/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPasswordHasher } from '#platform/password.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createUsersHandlers } from './routes.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

it('changeUserPassword replaces the hash and ends the sessions', async () => {
  const passwords = createPasswordHasher();
  const tenantId = await addTenant(database.pool, 'One');
  const admin = await addPerson(database.pool, tenantId, 'admin', 'admin@one.test');
  const { userId } = await addPerson(database.pool, tenantId, 'user', 'mara@one.test');
  const console = createTestConsole(database.pool, usersRoutes, createUsersHandlers({ passwords }));
  await console({ principal: admin }).changeUserPassword({
    params: { id: userId },
    body: { password: 'secret2' },
  });
  const { rows } = await database.pool.query('SELECT password_hash, token_version FROM users WHERE id = $1', [
    userId,
  ]);
  expect(await passwords.verify('secret2', rows[0].password_hash)).toBe(true);
  expect(rows[0].token_version).toBe(2);
});
