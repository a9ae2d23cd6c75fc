import { providerAccessRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { syncRegistry } from '#console/provider-registry/sync-registry.ts';
import { createSystemDatabase } from '#db/system.ts';
import type { Principal } from '#domain/principal.ts';
import { createKeyring } from '#platform/keyring.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { circuitKey, createCircuitBreaker } from '#upstream/circuit-breaker.ts';
import { createProviderAccessHandlers } from './routes.ts';

let database: TestDatabase;
let admin: Principal;
let stranger: Principal;
let nowMs = 0;
const circuits = createCircuitBreaker({ clock: () => nowMs });
let explain: (
  model: string,
  userId?: number,
  taskId?: number,
) => Promise<{ code: string | null; detailOf: (rule: string) => string | undefined }>;

beforeAll(async () => {
  database = await createTestDatabase();
  await syncRegistry(createSystemDatabase(database.pool));
  admin = await addPerson(database.pool, await addTenant(database.pool, 'One'), 'admin', 'ada@one.test');
  stranger = await addPerson(database.pool, await addTenant(database.pool, 'Two'), 'admin', 's@two.test');
  const handlers = createProviderAccessHandlers({ keyring: createKeyring('test'), circuits });
  const console = createTestConsole(database.pool, providerAccessRoutes, handlers);
  explain = async (model, userId = admin.userId, taskId) => {
    const query = { user_id: userId, model, task_id: taskId };
    const { error_code, rules } = await console({ principal: admin }).explainAccess({ query });
    return { code: error_code, detailOf: (rule) => rules.find(({ name }) => name === rule)?.detail };
  };
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.pool.query('DELETE FROM llm_providers; DELETE FROM allowances');
  await database.pool.query('UPDATE tenants SET is_service_spending_allowed = true');
  await addInstance('Own', 'gpt-5', { isManaged: false });
});

const addInstance = (
  name: string,
  model: string,
  { isManaged = true, sealed = null as Buffer | null } = {},
) =>
  database.pool.query(
    `INSERT INTO llm_providers (tenant_id, provider_registry_id, provider_instance_name, enabled_models, is_service_managed,
       sealed_api_key)
     SELECT $1, id, $2, ARRAY[$3], $4, $5 FROM provider_registry WHERE provider_key = 'openai'`,
    [admin.tenantId, name, model, isManaged, sealed],
  );
const setBalance = (dollars: number) =>
  database.pool.query(
    `INSERT INTO allowances (tenant_id, kind, subject_id, window_start, limit_amount)
     VALUES ($1, 'credits', $1, '-infinity', $2)`,
    [admin.tenantId, dollars * 1e9],
  );

it('explainAccess returns the remaining quotas of a user in the current windows', async () => {
  await database.pool.query('UPDATE users SET requests_per_hour = 100, daily_quota = 5000 WHERE id = $1', [
    admin.userId,
  ]);
  await database.pool.query(
    `INSERT INTO allowances (tenant_id, kind, subject_id, window_start, limit_amount, settled) VALUES
       ($1, 'requests_per_hour', $2, date_trunc('hour', now()), 100, 40),
       ($1, 'requests_per_hour', $2, date_trunc('hour', now()) - interval '1 hour', 100, 99),
       ($1, 'tokens_per_day', $2, date_trunc('day', now(), 'UTC'), 5000, 4999)`,
    [admin.tenantId, admin.userId],
  );
  const { code, detailOf } = await explain('gpt-5');
  expect([code, detailOf('limits')]).toEqual([
    null,
    '60 of 100 requests this hour left. 1 of 5,000 tokens today left. Unlimited tokens this month.',
  ]);
  await database.pool.query('UPDATE users SET requests_per_hour = NULL, daily_quota = NULL');
});

it('explainAccess requires credits only for instances that are paid with credits', async () => {
  expect((await explain('gpt-5')).code).toBeNull();
  await addInstance('Managed', 'gpt-4o');
  const broke = await explain('gpt-4o');
  expect([broke.code, broke.detailOf('limits')]).toEqual([
    'insufficient_credits',
    expect.stringContaining('$0.00 of credits left.'),
  ]);
  await setBalance(5);
  expect((await explain('gpt-4o')).code).toBeNull();
});

it('explainAccess reports that credits may not be spent, or that no price is known', async () => {
  await addInstance('Managed', 'gpt-4o');
  await addInstance('Unpriced', 'no-such-model');
  await setBalance(5);
  const unpriced = await explain('no-such-model');
  expect([unpriced.code, unpriced.detailOf('limits')]).toEqual([
    'insufficient_credits',
    expect.stringContaining('no price is known'),
  ]);
  await database.pool.query('UPDATE tenants SET is_service_spending_allowed = false');
  const forbidden = await explain('gpt-4o');
  expect([forbidden.code, forbidden.detailOf('limits')]).toEqual([
    'insufficient_credits',
    expect.stringContaining('spending credits is disabled'),
  ]);
});

it('explainAccess reports an instance as unavailable if its key cannot be decrypted', async () => {
  await addInstance('Sealed', 'o1', { isManaged: false, sealed: Buffer.from('not a sealed key') });
  const { code, detailOf } = await explain('o1');
  expect([code, detailOf('model')]).toEqual([
    'model_not_found',
    "No active provider offers 'o1'. 'Sealed' would, but its key cannot be decrypted.",
  ]);
});

it('explainAccess reports the remaining cooldown of a failing instance', async () => {
  await addInstance('Ailing', 'gpt-4.1');
  const { rows } = await database.pool.query<{ id: number }>(
    "SELECT id FROM llm_providers WHERE provider_instance_name = 'Ailing'",
  );
  await database.pool.query('UPDATE llm_providers SET is_service_managed = false');
  const circuit = circuitKey(rows[0]?.id ?? 0, 'gpt-4.1');
  for (let failures = 0; failures < 10; failures++) circuits.leave(circuit, admin.userId, 'call', 'failure');
  nowMs += 1_000;
  const ailing = await explain('gpt-4.1');
  expect([ailing.code, ailing.detailOf('provider')]).toEqual([
    'upstream_unavailable',
    "'Ailing' has failed too often and is in cooldown for 4 s.",
  ]);
  nowMs += 4_000;
  expect((await explain('gpt-4.1')).code).toBeNull();
});

it('explainAccess reports that the given task is not an active task of the user', async () => {
  const foreign = await explain('gpt-5', admin.userId, 999_999);
  expect([foreign.code, foreign.detailOf('task')]).toEqual([
    'task_not_found',
    expect.stringMatching(/^Task 999999 is not an active task of /),
  ]);
});

it('explainAccess returns 404 for a user of another tenant', async () => {
  await expect(explain('gpt-5', stranger.userId)).rejects.toMatchObject({
    status: 404,
    detail: 'User not found',
  });
});
