import { authRoutes, createClient } from '@sluice/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addPerson, addTenant } from '#test/console/console.ts';
import { type RunningServer, startWorker } from '#test/console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { callCommand, runCommand } from '#test/processes/run-command.ts';

let database: TestDatabase;
let worker: RunningServer;
beforeAll(async () => {
  database = await createTestDatabase();
  await addPerson(database.pool, await addTenant(database.pool, 'One'), 'super_admin', 'root@one.test');
  worker = await startWorker({ connectionString: database.connectionString });
});
afterAll(async () => {
  await worker.close();
  await database.close();
});

async function run(args: readonly string[], input: string, runIn = callCommand) {
  const { code, stdout, stderr } = await runIn(args, { DATABASE_URL: database.connectionString }, input);
  return { code, output: code === 0 ? stdout : stderr };
}

const logIn = (password: string) => {
  const calls = createClient(authRoutes, { baseUrl: worker.origin, headers: () => ({}) });
  return calls.login({ form: { username: 'root@one.test', password } });
};

it('users set-password sets the password of an administrator on the server, and ends all sessions of the administrator', async () => {
  const first = await run(['users', 'set-password', 'ROOT@one.test'], 'a first horse\n', runCommand);
  expect(first).toEqual({
    code: 0,
    output: 'The password of ROOT@one.test was changed, and all sessions have ended.\n',
  });
  const { access_token } = await logIn('a first horse');
  await run(['users', 'set-password', 'root@one.test'], 'another horse\n');
  const headers = { authorization: `Bearer ${access_token}` };
  const status = async () => (await fetch(`${worker.origin}/api/v1/auth/me`, { headers })).status;
  await expect.poll(status).toBe(401);
  await expect(logIn('another horse')).resolves.toHaveProperty('access_token');
});

it('users reset-second-factor removes the second factor of a super administrator on the server', async () => {
  await run(['users', 'set-password', 'root@one.test'], 'a third horse\n');
  await database.pool.query(
    `INSERT INTO totp_authenticators (tenant_id, user_id, confirmed_at) SELECT tenant_id, id, now() FROM users;
     UPDATE users SET has_second_factor = true`,
  );
  await expect(logIn('a third horse')).rejects.toMatchObject({ body: { code: 'second_factor_required' } });
  const reset = await run(['users', 'reset-second-factor', 'root@one.test'], '');
  expect(reset).toEqual({
    code: 0,
    output: 'The second factors of root@one.test were removed, and all sessions have ended.\n',
  });
  await expect(logIn('a third horse')).resolves.toHaveProperty('access_token');
  const { rows } = await database.pool.query(
    "SELECT actor_id, address FROM audit_entries WHERE action = 'resetSecondFactor' AND object_type = 'totp_authenticator'",
  );
  expect(rows).toEqual([{ actor_id: null, address: 'command line' }]);
});

it.each([
  [
    ['users', 'set-password', 'nobody@one.test'],
    'a new horse\n',
    'There is no user with the email address nobody@one.test.',
  ],
  [['users', 'set-password', 'root@one.test'], 'short\n', 'Password must be at least 6 characters'],
  [['users', 'set-password', 'root@one.test'], '123456\n', 'too common'],
  [['users', 'set-password', 'root@one.test'], '', 'No password was found on standard input.'],
  [['users', 'set-password'], '', 'npx sluice users set-password EMAIL'],
])('sluice %j with the input %j fails with the reason and no stack trace', async (args, input, words) => {
  const { code, output } = await run(args, input);
  expect(code).toBeGreaterThan(0);
  expect(output).toContain(words);
  expect(output).not.toContain('    at ');
});
