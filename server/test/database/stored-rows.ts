import type pg from 'pg';

export interface TenantToFill {
  readonly id: number;
  readonly userId: number;
}

/**
 * Number of parents per tenant. Exceeds the largest bound of their children, so that each child has a parent of its
 * own.
 */
const parents = 700;

/** Statements by table that insert row `n`. They use the columns `tenant`, `person` and `body`. */
const inserts: Readonly<Record<string, string>> = {
  tenants: `(name, slug) SELECT body, 'tenant-' || tenant || '-' || n FROM`,
  users: `(tenant_id, role_id, email, name, password_hash, is_active)
    SELECT tenant, 3, n || '@' || tenant || '.test', body, 'x', false FROM`,
  api_keys: `(tenant_id, user_id, name, key_hash, last4, scopes, superseded_at)
    SELECT tenant, person, body, sha256((tenant || ':' || n)::bytea), 'abcd', '{models}', now() FROM`,
  management_tokens: `(tenant_id, user_id, name, token_hash, last4, scopes, expires_at)
    SELECT tenant, person, body, sha256((tenant || ':' || n)::bytea), 'abcd', '{account:read}', now() + interval '1 day' FROM`,
  signed_in_tools: `(tenant_id, user_id, client_id, device_name, address, user_agent, task_id, session_id, expires_at)
    SELECT tenant, person, 'sluice-cli', body, '192.0.2.1', 'x', (SELECT min(id) FROM tasks WHERE tenant_id = tenant), gen_random_uuid(), now() + interval '1 day' FROM`,
  llm_providers: `(tenant_id, provider_registry_id, provider_instance_name, enabled_models)
    SELECT tenant, (SELECT min(id) FROM provider_registry), 'instance ' || n, ARRAY[body] FROM`,
  user_provider_access: `(tenant_id, user_id, llm_provider_id, allowed_models)
    SELECT tenant, person, (SELECT min(id) FROM llm_providers WHERE tenant_id = tenant) + n, ARRAY[body] FROM`,
  team_provider_access: `(tenant_id, team_id, llm_provider_id, allowed_models)
    SELECT tenant, (SELECT min(id) FROM teams WHERE tenant_id = tenant),
      (SELECT min(id) FROM llm_providers WHERE tenant_id = tenant) + n, ARRAY[body] FROM`,
  teams: `(tenant_id, name, description) SELECT tenant, 'team ' || n, body FROM`,
  team_members: `(tenant_id, team_id, user_id)
    SELECT tenant, (SELECT min(id) FROM teams WHERE tenant_id = tenant) + n, person FROM`,
  blacklist_entries: `(tenant_id, provider_key, model_pattern, reason)
    SELECT tenant, 'openai', 'model-' || n, body FROM`,
  tasks: `(tenant_id, title, description, category, difficulty_level, estimated_hours)
    SELECT tenant, 'Task ' || n, body, 'coding', 'beginner', 1 FROM`,
  task_assignments: `(tenant_id, task_id, user_id, progress_notes)
    SELECT tenant, (SELECT min(id) FROM tasks WHERE tenant_id = tenant) + n, person, body FROM`,
  price_overrides: `(tenant_id, llm_provider_id, model, price)
    SELECT tenant, (SELECT min(id) FROM llm_providers WHERE tenant_id = tenant), 'model-' || n,
      jsonb_build_object('input', 1, 'output', 2, 'note', body) FROM`,
  provider_refusals: `(tenant_id, llm_provider_id, model, kind, value)
    SELECT tenant, (SELECT min(id) FROM llm_providers WHERE tenant_id = tenant), 'model-' || n, 'field', 'seed' FROM`,
  budgets: `(tenant_id, user_id, model_pattern, measure, period, limit_amount)
    SELECT tenant, person, body, 'usd', 'month', 1 + n FROM`,
  budget_raise_requests: `(tenant_id, budget_id, user_id, limit_amount, until, reason)
    SELECT tenant, (SELECT min(id) FROM budgets WHERE tenant_id = tenant) + n, person, 1, now(), body FROM`,
  sessions: `(id, tenant_id, user_id, address, user_agent, expires_at, ended_at)
    SELECT gen_random_uuid(), tenant, person, '192.0.2.1', body, now() + interval '1 day', now() FROM`,
  passkeys: `(tenant_id, user_id, name, credential_id, public_key, sign_count)
    SELECT tenant, person, body, tenant || ':' || n, 'key', 0 FROM`,
  sign_in_tickets: `(tenant_id, user_id, token_hash, token_version, challenge, expires_at)
    SELECT tenant, person, sha256((tenant || ':' || n)::bytea), 1, body, now() FROM`,
  provider_registry: `(provider_key, display_name, icon, supported_models)
    SELECT 'vendor-' || tenant || '-' || n, 'Vendor', 'x', ARRAY[body] FROM`,
  mails: `(tenant_id, to_address, subject, body, action, opens_role_id, status, expires_at)
    SELECT tenant, n || '@invited.test', given.body, '', '', 3, 'held', now() FROM`,
  invitations: `(tenant_id, email, role_id, token_hash, invited_by, invited_by_name, mail_id, expires_at)
    SELECT tenant, n || '@invited.test', 3, sha256((tenant || ':' || n)::bytea), person, body,
      (SELECT min(id) FROM mails WHERE tenant_id = tenant) + n, now() + interval '1 day' FROM`,
  chats: '(id, tenant_id, user_id, title) SELECT gen_random_uuid(), tenant, person, body FROM',
  chat_messages: `(id, tenant_id, chat_id, is_user, content)
    SELECT gen_random_uuid(), tenant, (SELECT id FROM chats WHERE tenant_id = tenant ORDER BY id LIMIT 1), true, body FROM`,
  scim_tokens: `(tenant_id, name, token_hash, last4, expires_at)
    SELECT tenant, body || n, sha256((tenant || ':' || n)::bytea), 'abcd', now() + interval '1 day' FROM`,
  domains: "(tenant_id, name) SELECT tenant, n || '.' || tenant || '.' || lower(body) FROM",
  identity_providers: `(tenant_id, name, issuer, client_id)
    SELECT tenant, 'Provider ' || n, 'https://issuer.test', body FROM`,
  user_identities: `(tenant_id, user_id, identity_provider_id, issuer, subject, email)
    SELECT tenant, person, (SELECT min(id) FROM identity_providers WHERE tenant_id = tenant), 'https://issuer.test',
      n::text, body FROM`,
  llm_comparisons: '(id, tenant_id, user_id, prompt) SELECT gen_random_uuid(), tenant, person, body FROM',
};

export async function insertRows(
  database: Pick<pg.Pool, 'query'>,
  table: string,
  { id, userId }: TenantToFill,
  { from, to, text = 'x' }: { from: number; to: number; text?: string },
): Promise<void> {
  await database.query(
    `INSERT INTO ${table} ${inserts[table]} (SELECT $1::integer AS tenant, $2::integer AS person, $3::text AS body) given,
      generate_series($4::integer, $5::integer) n`,
    [id, userId, text, from, to],
  );
}

/** Runs work in one transaction without the triggers of these tables, as in databases from before bounds existed. */
export async function withoutTriggers<Result>(
  pool: pg.Pool,
  tables: readonly string[],
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    for (const table of tables) await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    const result = await work(client);
    for (const table of tables) await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

export function addTenantToFill(pool: pg.Pool, name: string, table: string): Promise<TenantToFill> {
  const parentTables = parentsOf[table] ?? [];
  return withoutTriggers(pool, ['tenants', 'users', ...parentTables], async (client) => {
    const { rows } = await client.query<TenantToFill>(
      `WITH tenant AS (INSERT INTO tenants (name, slug) VALUES ($1, $1) RETURNING id)
       INSERT INTO users (tenant_id, role_id, email, name, password_hash)
       SELECT id, 3, $1 || '@filled.test', $1, 'x' FROM tenant RETURNING tenant_id AS id, id AS "userId"`,
      [name],
    );
    const [tenant] = rows;
    if (!tenant) throw new Error('no tenant was added');
    for (const parent of parentTables)
      await insertRows(client, parent, tenant, { from: 0, to: parent === 'chats' ? 0 : parents });
    return tenant;
  });
}

const parentsOf: Readonly<Record<string, readonly string[]>> = {
  user_provider_access: ['llm_providers'],
  team_provider_access: ['teams', 'llm_providers'],
  team_members: ['teams'],
  budget_raise_requests: ['budgets'],
  task_assignments: ['tasks'],
  signed_in_tools: ['tasks'],
  price_overrides: ['llm_providers'],
  provider_refusals: ['llm_providers'],
  invitations: ['mails'],
  chat_messages: ['chats'],
  user_identities: ['identity_providers'],
};
