import type pg from 'pg';

const quarterMs = 90 * 86_400_000;

/**
 * Creates tenants with users, API keys, teams, tasks, providers, grants and a blacklist entry, all created at
 * `sinceMs`. The first tenant gets most of the users. Triggers write the audit entries.
 */
export async function seedPeople(
  client: pg.ClientBase,
  { sinceMs = Date.now() - quarterMs }: { readonly sinceMs?: number } = {},
): Promise<void> {
  const since = new Date(sinceMs).toISOString();
  await client.query(insertTenants, [since]);
  await client.query(insertUsers, [firstNames, lastNames, since]);
  await client.query('UPDATE tenants SET created_at = least(created_at, $1::timestamptz)', [since]);
  await client.query('UPDATE users SET created_at = least(created_at, $1::timestamptz)', [since]);
  await client.query(insertKeys, [since]);
  await client.query(insertTeams, [since]);
  await client.query(insertTasks, [since]);
  await client.query(insertApiAccessTasks, [since]);
  await client.query(insertProviders, [JSON.stringify(models), since, blacklistedModel]);
  for (const statement of [insertTeamGrants, insertUserGrants]) await client.query(statement, [since]);
  await client.query(insertConnectionTests, [since]);
  await client.query(insertBlacklist, [blacklistedModel, blacklistReason, since]);
}

/**
 * Creates temporary tables for filling the log: `demo_people` and `demo_models` to choose from, and `demo_day` and
 * `demo_texts` for the rows and prompts of one day.
 */
export async function collectSenders(client: pg.ClientBase): Promise<void> {
  await client.query('DROP TABLE IF EXISTS demo_people, demo_models, demo_day, demo_texts');
  await client.query('CREATE TEMP TABLE demo_day (LIKE request_logs INCLUDING DEFAULTS)');
  await client.query('CREATE TEMP TABLE demo_texts (id uuid NOT NULL, prompt text NOT NULL)');
  await client.query(collectPeople);
  await client.query(collectModels, [JSON.stringify(models)]);
}

const firstNames =
  'Ada Ben Cleo Dora Emil Fay Gus Hana Ida Jon Kai Lea Max Nora Otto Pia Rosa Sam Tess Uli'.split(' ');
const lastNames = ['Abel', 'Brandt', 'Castro'];

export const blacklistedModel = 'gpt-4-turbo';
export const blacklistReason = 'Cost management';

interface DemoModel {
  readonly provider_key: string;
  readonly name: string;
  /** Nano-dollars per token. */
  readonly input: number;
  readonly output: number;
}

const models: readonly DemoModel[] = [
  { provider_key: 'openai', name: 'gpt-4o-mini', input: 150, output: 600 },
  { provider_key: 'anthropic', name: 'claude-sonnet-4-5', input: 3000, output: 15_000 },
  { provider_key: 'openai', name: 'gpt-4o', input: 2500, output: 10_000 },
  { provider_key: 'google', name: 'gemini-2.5-flash', input: 300, output: 2500 },
  { provider_key: 'deepseek', name: 'deepseek-chat', input: 270, output: 1100 },
  { provider_key: 'anthropic', name: 'claude-haiku-4-5', input: 1000, output: 5000 },
];

// Tenants use UTC, so that quota days match the partitions of the log.
const insertTenants = `INSERT INTO tenants (name, slug, time_zone, created_at)
  VALUES ('Northwind', 'northwind', 'UTC', $1::timestamptz), ('Bluebird', 'bluebird', 'UTC', $1::timestamptz)
  ON CONFLICT (slug) DO NOTHING`;

const insertUsers = `INSERT INTO users (tenant_id, role_id, email, name, password_hash, created_at)
  SELECT tenants.id, CASE WHEN last.place = 1 AND first.place <= 2 THEN 2 ELSE 3 END,
    lower(first.name || '.' || last.name || '@' || slug || '.example'), first.name || ' ' || last.name, 'no password', $3::timestamptz
  FROM tenants, unnest($1::text[]) WITH ORDINALITY first (name, place), unnest($2::text[]) WITH ORDINALITY last (name, place)
  WHERE last.place = 1 OR tenants.id = (SELECT min(id) FROM tenants)
  ON CONFLICT DO NOTHING`;

/**
 * Adds a key for each user; only its hash exists. It is a named key if the first start printed one for the user. All
 * are marked as used, because the first use of another key revokes the key that the first start printed.
 */
const insertKeys = `INSERT INTO api_keys (tenant_id, user_id, kind, name, key_hash, last4, scopes, created_by, last_used_at, created_at)
  SELECT tenant_id, id, CASE WHEN has_key THEN 'named' ELSE 'primary' END, CASE WHEN has_key THEN 'Laptop' ELSE 'Default' END, sha256(gen_random_uuid()::text::bytea), right(md5(id::text), 4), '{completions,embeddings,models}',
    (SELECT min(id) FROM users admin WHERE admin.tenant_id = users.tenant_id AND role_id < 3), $1::timestamptz, $1::timestamptz
  FROM users, LATERAL (SELECT EXISTS (SELECT FROM api_keys WHERE user_id = users.id) AS has_key) held
  WHERE NOT EXISTS (SELECT FROM api_keys WHERE user_id = users.id AND created_at <= $1::timestamptz)`;

const insertTeams = `WITH made AS (
    INSERT INTO teams (tenant_id, name, description, created_at)
    SELECT id, team.name, 'Team ' || team.name, $1::timestamptz FROM tenants, unnest(ARRAY['Platform', 'Product', 'Research']) team (name)
    ON CONFLICT DO NOTHING RETURNING id, tenant_id, name
  )
  INSERT INTO team_members (tenant_id, team_id, user_id, joined_at)
  SELECT users.tenant_id, made.id, users.id, $1::timestamptz FROM users JOIN made ON made.tenant_id = users.tenant_id
    AND made.name = (ARRAY['Platform', 'Product', 'Research'])[1 + users.id % 3]
  WHERE users.id % 4 <> 0`;

const insertTasks = `WITH made AS (
    INSERT INTO tasks (tenant_id, title, description, category, difficulty_level, estimated_hours, token_limit, max_tokens_per_request, created_at)
    SELECT id, title, description, category, 'intermediate', 8, 1000000, 8000, $1::timestamptz
    FROM tenants, (VALUES ('Refactor the importer', 'coding', 'Split the importer into steps that can be tested alone'),
      ('Cover the scheduler with tests', 'testing', 'Write tests for each kind of schedule'),
      ('Write the handbook', 'documentation', 'Describe installation and daily operation'),
      ('Compare vector stores', 'research', 'Measure three vector stores with our own documents')) task (title, category, description)
    RETURNING id, tenant_id
  )
  INSERT INTO task_assignments (tenant_id, task_id, user_id, assigned_at)
  SELECT users.tenant_id, task.id, users.id, $1::timestamptz FROM users JOIN LATERAL (
    SELECT id FROM made WHERE made.tenant_id = users.tenant_id ORDER BY id OFFSET users.id % 4 LIMIT 1
  ) task ON true`;

/** Creates tasks for direct API calls, without a limit. */
const insertApiAccessTasks = `WITH made AS (
    INSERT INTO tasks (tenant_id, title, description, category, difficulty_level, estimated_hours, is_dummy_task, user_id, created_at)
    SELECT tenant_id, 'API access', 'Direct use of the API', 'other', 'beginner', 1, true, id, $1::timestamptz FROM users
    WHERE NOT EXISTS (SELECT FROM tasks WHERE is_dummy_task AND user_id = users.id)
    RETURNING id, tenant_id, user_id
  )
  INSERT INTO task_assignments (tenant_id, task_id, user_id, assigned_at) SELECT tenant_id, id, user_id, $1::timestamptz FROM made`;

const insertProviders = `INSERT INTO llm_providers (tenant_id, provider_registry_id, provider_instance_name, enabled_models, is_service_managed, created_at)
  SELECT tenants.id, registry.id, 'Demo ' || registry.display_name,
    offered.names || CASE registry.provider_key WHEN 'openai' THEN ARRAY[$3::text] ELSE '{}' END, registry.provider_key = 'google', $2::timestamptz
  FROM tenants, provider_registry registry JOIN (
    SELECT provider_key, array_agg(name) AS names FROM json_to_recordset($1) model (provider_key text, name text) GROUP BY 1
  ) offered USING (provider_key)
  ON CONFLICT DO NOTHING`;

const demoInstances = `SELECT id, tenant_id, enabled_models FROM llm_providers WHERE provider_instance_name LIKE 'Demo %'`;

const insertTeamGrants = `INSERT INTO team_provider_access (tenant_id, team_id, llm_provider_id, allowed_models, created_at)
  SELECT teams.tenant_id, teams.id, instance.id, instance.enabled_models, $1::timestamptz FROM teams JOIN (${demoInstances}) instance USING (tenant_id)
  ON CONFLICT DO NOTHING`;

/** Grants only to users without a team, since a request counts for a team only if the user has no direct grant. */
const insertUserGrants = `INSERT INTO user_provider_access (tenant_id, user_id, llm_provider_id, allowed_models, created_at)
  SELECT users.tenant_id, users.id, instance.id, instance.enabled_models, $1::timestamptz FROM users JOIN (${demoInstances}) instance USING (tenant_id)
  WHERE NOT EXISTS (SELECT FROM team_members WHERE user_id = users.id)
  ON CONFLICT DO NOTHING`;

const insertConnectionTests = `INSERT INTO first_steps (tenant_id, connection_tested_at)
  SELECT id, $1::timestamptz FROM tenants ON CONFLICT DO NOTHING`;

const insertBlacklist = `INSERT INTO blacklist_entries (tenant_id, provider_key, model_pattern, reason, blocked_by, created_at)
  SELECT id, 'openai', $1::text, $2::text, (SELECT min(id) FROM users WHERE tenant_id = tenants.id AND role_id < 3), $3::timestamptz FROM tenants ON CONFLICT DO NOTHING`;

const collectPeople = `CREATE TEMP TABLE demo_people ON COMMIT PRESERVE ROWS AS
  SELECT row_number() OVER (ORDER BY users.tenant_id, users.id)::int - 1 AS place, users.tenant_id, users.id AS user_id,
    (SELECT max(id) FROM api_keys WHERE user_id = users.id) AS api_key_id,
    (SELECT max(tasks.id) FROM task_assignments a JOIN tasks ON tasks.id = a.task_id WHERE a.user_id = users.id AND NOT is_dummy_task) AS task_id,
    (SELECT max(id) FROM tasks WHERE is_dummy_task AND user_id = users.id) AS api_task_id,
    (SELECT max(team_id) FROM team_members WHERE user_id = users.id) AS team_id
  FROM users`;

const collectModels = `CREATE TEMP TABLE demo_models ON COMMIT PRESERVE ROWS AS
  SELECT model.place::int - 1 AS place, instance.tenant_id, instance.id AS llm_provider_id, registry.provider_key,
    instance.provider_instance_name AS instance_name, instance.is_service_managed, model.value->>'name' AS name,
    (model.value->>'input')::bigint AS input_nano_usd, (model.value->>'output')::bigint AS output_nano_usd
  FROM json_array_elements($1::json) WITH ORDINALITY model (value, place)
    JOIN provider_registry registry ON registry.provider_key = model.value->>'provider_key'
    JOIN llm_providers instance ON instance.provider_registry_id = registry.id AND instance.provider_instance_name LIKE 'Demo %'`;
