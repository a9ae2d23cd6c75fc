import { randomUUIDv7 } from 'node:crypto';
import { apiKeyScopes, type RoleName } from '@sluice/contract';
import type pg from 'pg';
import { syncRegistry } from '#console/provider-registry/sync-registry.ts';
import { createSystemDatabase } from '#db/system.ts';
import { createPasswordHasher } from '#platform/password.ts';
import { addTenant } from '../console/console.ts';
import { addApiAccessTask } from '../load/api-access-task.ts';

/** Tenant with one sandbox instance. All texts of the tenant contain its marker, which identifies leaks. */
export interface TestTenant {
  readonly id: number;
  readonly marker: string;
  readonly instanceId: number;
  /** Unique model names: a model granted to all users, a model granted to none, and a granted embedding model. */
  readonly models: { readonly granted: string; readonly ungranted: string; readonly embedding: string };
}

export interface World {
  readonly pool: pg.Pool;
  readonly sandboxRegistryId: number;
  /** `home` is the tenant of all callers except one, and `foreign` is the tenant of that caller. */
  readonly home: TestTenant;
  readonly foreign: TestTenant;
  readonly passwordHash: string;
}

export const password = 'correct horse battery';

type CreateTenant = (pool: pg.Pool, marker: string) => Promise<number>;

export async function createWorld(pool: pg.Pool, createForeign: CreateTenant = addTenant): Promise<World> {
  await syncRegistry(createSystemDatabase(pool));
  // Some suites store more objects in a tenant than the bounds allow.
  await pool.query('UPDATE stored_bounds SET rows_max = 1000000 WHERE rows_max IS NOT NULL');
  const { rows } = await pool.query<{ id: number }>(
    "SELECT id FROM provider_registry WHERE provider_key = 'sandbox'",
  );
  const sandboxRegistryId = rows[0]!.id;
  return {
    pool,
    sandboxRegistryId,
    home: await createTenant(pool, 'home', sandboxRegistryId, addTenant),
    foreign: await createTenant(pool, 'foreign', sandboxRegistryId, createForeign),
    passwordHash: await createPasswordHasher().hash(password),
  };
}

async function createTenant(
  pool: pg.Pool,
  name: string,
  registryId: number,
  makeTenant: CreateTenant,
): Promise<TestTenant> {
  const marker = `${name}-marker`;
  const id = await makeTenant(pool, marker);
  const models = {
    granted: `${marker}-granted`,
    ungranted: `${marker}-ungranted`,
    embedding: `${marker}-embedding`,
  };
  const aliases = {
    [models.granted]: 'sandbox-normal',
    [models.ungranted]: 'sandbox-echo',
    [models.embedding]: 'sandbox-embedding',
  };
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO llm_providers (tenant_id, provider_registry_id, provider_instance_name, enabled_models, model_aliases)
     VALUES ($1, $2, $3, $4, $5) RETURNING id`,
    [id, registryId, marker, Object.values(aliases), aliases],
  );
  return { id, marker, models, instanceId: rows[0]!.id };
}

export async function addBlockEvent({ pool }: World, userId: number): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO score_events (tenant_id, user_id, kind, score_before, score_after, reason)
     SELECT tenant_id, id, 'block', 0, 0, 'a test' FROM users WHERE id = $1 RETURNING id`,
    [userId],
  );
  return rows[0]!.id;
}

let paymentsCount = 0;

/** Adds a successful payment at the simulated provider that is not yet added to the tenant's credits. */
export async function addPayment({ pool }: World, { id: tenantId, marker }: TestTenant) {
  const intentId = `pi_${++paymentsCount}_${marker}`;
  const clientSecret = `${intentId}_secret`;
  await pool.query(
    "INSERT INTO simulated_intents (id, client_secret, amount_cents, status) VALUES ($1, $2, 500, 'succeeded')",
    [intentId, clientSecret],
  );
  await pool.query(
    `INSERT INTO payments (tenant_id, provider, intent_id, amount_nano_usd, description)
     VALUES ($1, 'simulated', $2, 5000000000, $3)`,
    [tenantId, intentId, marker],
  );
  return { intentId, clientSecret };
}

/** Returns the secret of a card setup in progress. */
export async function addSetupIntent({ pool }: World, status: string): Promise<string> {
  const id = `seti_${++paymentsCount}`;
  await pool.query(
    `INSERT INTO simulated_setup_intents (id, client_secret, idempotency_key, status)
     VALUES ($1, $1 || '_secret', $1, $2)`,
    [id, status],
  );
  return `${id}_secret`;
}

/** Starts a trial unless the tenant has one. Returns the subscription's id at the provider. */
export async function addSubscription({ pool }: World, tenantId: number): Promise<string> {
  const { rows } = await pool.query<{ customer_id: string }>(
    'SELECT customer_id FROM payment_customers JOIN subscriptions USING (tenant_id, customer_id) WHERE tenant_id = $1',
    [tenantId],
  );
  if (rows[0]) return rows[0].customer_id;
  const key = `tenant-${tenantId}`;
  const ids = [tenantId, `cus_${key}`, `sub_${key}`];
  await pool.query(
    `INSERT INTO simulated_customers (id, idempotency_key, email, name) VALUES ($1, $1, 'a@a.test', 'A')
     ON CONFLICT DO NOTHING`,
    [ids[1]],
  );
  await pool.query(
    `INSERT INTO payment_customers (tenant_id, provider, customer_id) VALUES ($1, 'simulated', $2)
     ON CONFLICT DO NOTHING`,
    ids.slice(0, 2),
  );
  await pool.query(
    `INSERT INTO simulated_subscriptions (id, idempotency_key, customer_id, plan_id, status, trial_ends_at, period_ends_at)
     VALUES ($2, $2, $1, 'basic', 'trialing', now() + interval '14 days', now() + interval '14 days')
     ON CONFLICT DO NOTHING`,
    ids.slice(1),
  );
  await pool.query(
    `INSERT INTO subscriptions (tenant_id, plan_id, provider, customer_id, subscription_id, status)
     VALUES ($1, 'basic', 'simulated', $2, $3, 'trialing') ON CONFLICT DO NOTHING`,
    ids,
  );
  return `cus_${key}`;
}

/** Returns the card's id at the provider. */
export async function addPaymentMethod(world: World, { id: tenantId }: TestTenant): Promise<string> {
  const id = `pm_${++paymentsCount}_${tenantId}`;
  await world.pool.query(
    `INSERT INTO simulated_payment_methods (id, customer_id, card_number, is_authenticated)
     VALUES ($1, $2, '4242424242424242', false)`,
    [id, await addSubscription(world, tenantId)],
  );
  return id;
}

let plansCount = 0;

export async function addPlan({ pool }: World): Promise<string> {
  const id = `plan-${++plansCount}`;
  await pool.query(
    `INSERT INTO plans (id, name, description, price_monthly, price_yearly, user_limit, admin_limit, position)
     VALUES ($1, $1, '', 1000000000, 10000000000, 1000000, 1000000, $2)`,
    [id, 1_000 + plansCount],
  );
  return id;
}

let peopleCount = 0;

export async function addMember({ pool, passwordHash }: World, tenant: TestTenant, role: RoleName) {
  const email = `${role}-${++peopleCount}@${tenant.marker}.test`;
  const { rows } = await pool.query<{ id: number }>(
    `WITH member AS (
       INSERT INTO users (tenant_id, role_id, email, name, password_hash)
       SELECT $1, id, $3, $4, $5 FROM roles WHERE name = $2 RETURNING id
     ), access AS (
       INSERT INTO user_provider_access (tenant_id, user_id, llm_provider_id, allowed_models)
       SELECT $1, id, $6, '{sandbox-normal,sandbox-embedding}' FROM member WHERE $2 = 'user'
     )
     SELECT id FROM member`,
    [tenant.id, role, email, tenant.marker, passwordHash, tenant.instanceId],
  );
  const { id: userId } = rows[0]!;
  if (role === 'user') await addApiAccessTask(pool, { tenantId: tenant.id, userId }, tenant.marker);
  return { userId, email };
}

export async function allowOwnKey(
  { pool }: World,
  { id: tenantId }: TestTenant,
  userId: number,
): Promise<void> {
  await pool.query('UPDATE tenants SET users_regenerate_keys = true WHERE id = $1', [tenantId]);
  await ensureApiKey(pool, tenantId, userId);
}

export async function allowOwnKeys({ pool }: World, { id: tenantId }: TestTenant): Promise<void> {
  await pool.query(
    'UPDATE tenants SET users_create_keys = true, users_regenerate_keys = true, api_keys_per_user = 50 WHERE id = $1',
    [tenantId],
  );
}

export async function addNamedKey({ pool }: World, tenant: TestTenant, userId: number): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO api_keys (tenant_id, user_id, name, key_hash, last4, scopes, kind, created_by)
     VALUES ($1, $2, $3, uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()), 'abcd', $4, 'named', $2)
     RETURNING id`,
    [tenant.id, userId, tenant.marker, apiKeyScopes],
  );
  return rows[0]!.id;
}

export async function addManagementToken(
  { pool }: World,
  tenant: TestTenant,
  userId: number,
): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO management_tokens (tenant_id, user_id, name, token_hash, last4, scopes, expires_at)
     VALUES ($1, $2, $3, uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()), 'abcd', '{account:read}', now() + interval '1 day')
     RETURNING id`,
    [tenant.id, userId, tenant.marker],
  );
  return rows[0]!.id;
}

/** Adds an API key unless the user has one. Concurrent tests may call the function for the same user. */
export async function ensureApiKey(pool: World['pool'], tenantId: number, userId: number): Promise<void> {
  await pool.query(
    `INSERT INTO api_keys (tenant_id, user_id, name, key_hash, last4, scopes)
     VALUES ($1, $2, 'own', uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()), 'abcd', $3)
     ON CONFLICT DO NOTHING`,
    [tenantId, userId, apiKeyScopes],
  );
}

export async function addTask({ pool }: World, tenant: TestTenant): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO tasks (tenant_id, title, description, category, difficulty_level, estimated_hours, token_limit)
     VALUES ($1, $2, $2, 'coding', 'beginner', 1, 10000) RETURNING id`,
    [tenant.id, tenant.marker],
  );
  return rows[0]!.id;
}

export async function addTaskOf(world: World, tenant: TestTenant, userId: number): Promise<number> {
  const taskId = await addTask(world, tenant);
  await world.pool.query('INSERT INTO task_assignments (tenant_id, task_id, user_id) VALUES ($1, $2, $3)', [
    tenant.id,
    taskId,
    userId,
  ]);
  return taskId;
}

export async function addTeam({ pool }: World, tenant: TestTenant): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    'INSERT INTO teams (tenant_id, name) VALUES ($1, $2) RETURNING id',
    [tenant.id, `${tenant.marker}-${randomUUIDv7()}`],
  );
  return rows[0]!.id;
}

export async function addChat({ pool }: World, tenant: TestTenant, userId: number): Promise<string> {
  const id = randomUUIDv7();
  await pool.query('INSERT INTO chats (id, tenant_id, user_id, title) VALUES ($1, $2, $3, $4)', [
    id,
    tenant.id,
    userId,
    tenant.marker,
  ]);
  return id;
}

export async function addChatAnswer({ pool }: World, tenant: TestTenant, chatId: string): Promise<string> {
  const [questionId, answerId] = [randomUUIDv7(), randomUUIDv7()];
  await pool.query(
    `INSERT INTO chat_messages (id, tenant_id, chat_id, parent_id, is_user, content, model)
     VALUES ($1, $3, $4, NULL, true, 'Hello', NULL), ($2, $3, $4, $1, false, 'Good day', $5)`,
    [questionId, answerId, tenant.id, chatId, tenant.models.granted],
  );
  return answerId;
}

export async function addChatImage({ pool }: World, tenant: TestTenant, messageId: string): Promise<string> {
  const id = randomUUIDv7();
  await pool.query(
    `INSERT INTO chat_images (id, tenant_id, message_id, name, media_type, bytes)
     VALUES ($1, $2, $3, 'dot.png', 'image/png', '\\x89504e470d0a1a0a')`,
    [id, tenant.id, messageId],
  );
  return id;
}
