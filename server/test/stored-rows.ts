import type pg from 'pg';

/** A tenant whose rows refer to parents that exist from the start: one active user, and as many others as a bound needs. */
export interface TenantToFill {
  readonly id: number;
  readonly userId: number;
}

/** How many parents a tenant gets: more than the largest bound of their children, so that each child has its own. */
const parents = 2_100;

/** How rows of a bounded table are written: rows `$2` to `$3` of tenant `$1` and its user `$4`, with the text `$5`. */
const inserts: Readonly<Record<string, string>> = {
  users: `(tenant_id, role_id, email, name, password_hash, is_active)
    SELECT $1, 3, n || '@' || $1 || '.test', $5, 'x', $4 < 0 FROM`,
  api_keys: `(tenant_id, user_id, name, key_hash, last4, scopes, superseded_at)
    SELECT $1, $4, $5, sha256(($1 || ':' || n)::bytea), 'abcd', '{models}', now() FROM`,
  llm_providers: `(tenant_id, provider_registry_id, provider_instance_name, enabled_models)
    SELECT $1, 1, 'instance ' || n || ' ' || $1 * $4, ARRAY[$5] FROM`,
  user_provider_access: `(tenant_id, user_id, llm_provider_id, allowed_models)
    SELECT $1, $4, (SELECT min(id) FROM llm_providers WHERE tenant_id = $1) + n, ARRAY[$5] FROM`,
  team_provider_access: `(tenant_id, team_id, llm_provider_id, allowed_models)
    SELECT $1, t.id, p.id + n, ARRAY[$5]
    FROM (SELECT min(id) AS id FROM teams WHERE tenant_id = $1) t,
      (SELECT min(id) AS id FROM llm_providers WHERE tenant_id = $1) p,`,
  teams: `(tenant_id, name, description) SELECT $1, 'team ' || n, $5 FROM`,
  team_members: `(tenant_id, team_id, user_id)
    SELECT $1, (SELECT min(id) FROM teams WHERE tenant_id = $1) + n, $4 FROM`,
  blacklist_entries: `(tenant_id, provider_key, model_pattern, reason, description)
    SELECT $1, 'openai', 'model-' || n, $5, NULL FROM`,
  tasks: `(tenant_id, title, description, category, difficulty_level, estimated_hours)
    SELECT $1, 'Task ' || n, $5, 'coding', 'beginner', 1 FROM`,
  task_assignments: `(tenant_id, task_id, user_id, progress_notes)
    SELECT $1, (SELECT min(id) FROM tasks WHERE tenant_id = $1) + n, $4, $5 FROM`,
  price_overrides: `(tenant_id, llm_provider_id, model, price)
    SELECT $1, (SELECT min(id) FROM llm_providers WHERE tenant_id = $1), 'model-' || n,
      jsonb_build_object('input_per_million', '1', 'output_per_million', '2', 'note', $5::text) FROM`,
  sessions: `(id, tenant_id, user_id, address, user_agent, expires_at, ended_at)
    SELECT gen_random_uuid(), $1, $4, '192.0.2.1', $5, now() + interval '1 day', now() FROM`,
  provider_registry: `(provider_key, display_name, icon, supported_models)
    SELECT 'vendor-' || $1 || '-' || n, 'Vendor ' || $4, 'x', ARRAY[$5] FROM`,
  invitations: `(tenant_id, email, role_id, token_hash, invited_by, invited_by_name, mail_id, expires_at)
    SELECT $1, n || '@invited.test', 3, sha256(($1 || ':' || n)::bytea), $4, $5,
      (SELECT min(id) FROM mails WHERE tenant_id = $1) + n, now() + interval '1 day' FROM`,
  chats: '(id, tenant_id, user_id, title) SELECT gen_random_uuid(), $1, $4, $5 FROM',
  chat_messages: `(id, tenant_id, chat_id, is_user, content)
    SELECT gen_random_uuid(), $1, (SELECT id FROM chats WHERE tenant_id = $1 ORDER BY id LIMIT 1), $4 > 0, $5 FROM`,
  llm_comparisons: '(id, tenant_id, user_id, prompt) SELECT gen_random_uuid(), $1, $4, $5 FROM',
  mails: `(tenant_id, to_address, subject, body, action, opens_role_id, status, expires_at)
    SELECT $1, n || '@invited.test', $5, '', '', 3, 'held', now() + $4 * interval '1 s' FROM`,
  tenants: `(name, slug, suspension_reason) SELECT 'Tenant ' || n, 'tenant-' || $1 || '-' || $4 || '-' || n, $5 FROM`,
};

/** The tables that `insertRows` knows. */
export const insertableTables = Object.keys(inserts);

/** Inserts the rows with these numbers in one statement. */
export async function insertRows(
  database: Pick<pg.Pool, 'query'>,
  table: string,
  { id, userId }: TenantToFill,
  { from, to, text = 'x' }: { from: number; to: number; text?: string },
): Promise<void> {
  const statement = `INSERT INTO ${table} ${inserts[table]} generate_series($2::integer, $3::integer) n
    WHERE $1::integer > 0 AND $4::integer IS NOT NULL AND $5::text IS NOT NULL`;
  await database.query(statement, [id, from, to, userId, text]);
}

/** Adds a tenant with one active user and the parents that rows of this table refer to, past all triggers. */
export async function addTenantToFill(pool: pg.Pool, name: string, table: string): Promise<TenantToFill> {
  const client = await pool.connect();
  try {
    await client.query('SET session_replication_role = replica');
    const { rows } = await client.query<TenantToFill>(
      `WITH tenant AS (INSERT INTO tenants (name, slug) VALUES ($1, $1) RETURNING id)
       INSERT INTO users (tenant_id, role_id, email, name, password_hash)
       SELECT id, 3, $1 || '@filled.test', $1, 'x' FROM tenant RETURNING tenant_id AS id, id AS "userId"`,
      [name],
    );
    const [tenant] = rows;
    if (!tenant) throw new Error('no tenant was added');
    for (const parent of parentsOf[table] ?? [])
      await insertRows(client, parent, tenant, { from: 0, to: parent === 'chats' ? 0 : parents });
    return tenant;
  } finally {
    await client.query('SET session_replication_role = origin');
    client.release();
  }
}

const parentsOf: Readonly<Record<string, readonly string[]>> = {
  user_provider_access: ['llm_providers'],
  team_provider_access: ['teams', 'llm_providers'],
  team_members: ['teams'],
  task_assignments: ['tasks'],
  price_overrides: ['llm_providers'],
  invitations: ['mails'],
  chat_messages: ['chats'],
};
