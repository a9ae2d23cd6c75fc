import type pg from 'pg';
import { syncRegistry } from '#console/provider-registry/sync-registry.ts';
import { createSystemDatabase } from '#db/system.ts';

export const activeUsers = 5;

/**
 * Statements by mirrored table that insert row `n` of a tenant. Each row has `size` bytes if bytes are bounded. `has`
 * contains arrays of ids.
 */
const inserts: Readonly<Record<string, string>> = {
  users: `(tenant_id, role_id, email, name, password_hash, is_active)
    SELECT tenant, 3, n || '@' || tenant || '.test', 'Person ' || n, 'x', false FROM`,
  llm_providers: `(tenant_id, provider_registry_id, provider_instance_name, enabled_models)
    SELECT tenant, (SELECT min(id) FROM provider_registry), 'instance ' || n,
      array_fill(repeat('m', 39), ARRAY[(size - 6) / 40]) FROM`,
  teams: `(tenant_id, name) SELECT tenant, 'team ' || n FROM`,
  tasks: `(tenant_id, title, description, category, difficulty_level, estimated_hours)
    SELECT tenant, 'Task', repeat('d', size - 4), 'coding', 'beginner', 1 FROM`,
  api_keys: `(tenant_id, user_id, name, key_hash, last4, scopes, superseded_at)
    SELECT tenant, has.users[1 + n % 200], 'k', sha256((tenant || ':' || n)::bytea), 'abcd', '{models}', now() FROM`,
  sessions: `(id, tenant_id, user_id, address, user_agent, expires_at, ended_at)
    SELECT gen_random_uuid(), tenant, unnest(has.active), '192.0.2.1', 'x', now() + interval '1 day', now() FROM`,
  user_provider_access: `(tenant_id, user_id, llm_provider_id, allowed_models)
    SELECT tenant, has.users[1 + n % 200], has.instances[1 + n / 200],
      array_fill(repeat('m', 39), ARRAY[(size - 2) / 40]) FROM`,
  team_members: `(tenant_id, team_id, user_id)
    SELECT tenant, has.teams[1 + n / 200], has.users[1 + n % 200] FROM`,
  team_provider_access: `(tenant_id, team_id, llm_provider_id, allowed_models)
    SELECT tenant, has.teams[1 + n % 100], has.instances[1 + n / 100],
      array_fill(repeat('m', 39), ARRAY[(size - 2) / 40]) FROM`,
  blacklist_entries: `(tenant_id, provider_key, model_pattern, reason)
    SELECT tenant, 'openai', to_char(n, 'FM000000'), repeat('r', size - 12) FROM`,
  budgets: `(tenant_id, user_id, measure, period, limit_amount)
    SELECT tenant, has.users[1 + n % 200], 'usd', 'month', 1 + n FROM`,
  task_assignments: `(tenant_id, task_id, user_id)
    SELECT tenant, has.tasks[1 + n / 200], has.users[1 + n % 200] FROM`,
  price_overrides: `(tenant_id, llm_provider_id, model, price)
    SELECT tenant, has.instances[1 + n % 100], 'model-' || n, '{"input":1,"output":2}' FROM`,
};

export const filledTables = Object.keys(inserts);

/** Adds tenants whose rows reach every row and byte bound of the mirrored tables. The triggers check each statement. */
export async function fillTenants(pool: pg.Pool, count: number): Promise<void> {
  await syncRegistry(createSystemDatabase(pool));
  const { rows: bounds } = await pool.query<{ table: string; rows: number; size: number }>(
    `SELECT table_name AS "table", rows_max + rows_per_user * $1::integer - CASE table_name WHEN 'users' THEN $1::integer ELSE 0 END AS rows,
       COALESCE((bytes_max + bytes_per_user * $1::integer) / (rows_max + rows_per_user * $1::integer), 0)::integer AS size FROM stored_bounds`,
    [activeUsers],
  );
  for (let number = 1; number <= count; number++) {
    const tenantId = await addTenant(pool, number);
    for (const [table, insert] of Object.entries(inserts)) {
      const bound = bounds.find((one) => one.table === table);
      if (!bound) throw new Error(`${table} has no bound`);
      const { rows, size } = bound;
      await pool.query(`INSERT INTO ${table} ${insert} ${given}, generate_series(0, $2::integer - 1) n`, [
        tenantId,
        rows,
        size,
      ]);
    }
  }
}

const given = `(SELECT $1::integer AS tenant, $3::integer AS size) given,
  LATERAL (SELECT
    (SELECT array_agg(id ORDER BY id) FROM users WHERE tenant_id = tenant) AS users,
    (SELECT array_agg(id ORDER BY id) FROM users WHERE tenant_id = tenant AND is_active) AS active,
    (SELECT array_agg(id ORDER BY id) FROM llm_providers WHERE tenant_id = tenant) AS instances,
    (SELECT array_agg(id ORDER BY id) FROM teams WHERE tenant_id = tenant) AS teams,
    (SELECT array_agg(id ORDER BY id) FROM tasks WHERE tenant_id = tenant) AS tasks) has`;

async function addTenant(pool: pg.Pool, number: number): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    'INSERT INTO tenants (name, slug) VALUES ($1, $1) RETURNING id',
    [`full-${number}`],
  );
  const [{ id } = { id: 0 }] = rows;
  await pool.query(
    `INSERT INTO users (tenant_id, role_id, email, name, password_hash)
     SELECT $1::integer, 3, 'active-' || n || '@' || $1::integer || '.test', 'Person', 'x' FROM generate_series(1, $2::integer) n`,
    [id, activeUsers],
  );
  return id;
}
