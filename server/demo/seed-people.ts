import type pg from 'pg';

/**
 * Creates tenants with users, teams, tasks and providers. The first tenant gets most of the users. Triggers write their
 * audit entries.
 */
export async function seedPeople(client: pg.ClientBase): Promise<void> {
  await client.query(insertTenants);
  await client.query(insertUsers, [firstNames, lastNames]);
  await client.query(insertTeams);
  await client.query(insertTasks);
  await client.query(insertProviders, [JSON.stringify(models)]);
}

/** Creates the temporary tables `demo_people` and `demo_models` of a connection, which are used to fill the log. */
export async function collectSenders(client: pg.ClientBase): Promise<void> {
  await client.query('DROP TABLE IF EXISTS demo_people, demo_models');
  await client.query(collectPeople);
  await client.query(collectModels, [JSON.stringify(models)]);
}

const firstNames =
  'Ada Ben Cleo Dora Emil Fay Gus Hana Ida Jon Kai Lea Max Nora Otto Pia Rosa Sam Tess Uli'.split(' ');
const lastNames = ['Abel', 'Brandt', 'Castro'];

interface DemoModel {
  readonly provider_key: string;
  readonly name: string;
  /** Per token, in nano-dollars. */
  readonly input: number;
  readonly output: number;
}

/** The most used first. */
const models: readonly DemoModel[] = [
  { provider_key: 'openai', name: 'gpt-4o-mini', input: 150, output: 600 },
  { provider_key: 'anthropic', name: 'claude-sonnet-4-5', input: 3000, output: 15_000 },
  { provider_key: 'openai', name: 'gpt-4o', input: 2500, output: 10_000 },
  { provider_key: 'google', name: 'gemini-2.5-flash', input: 300, output: 2500 },
  { provider_key: 'deepseek', name: 'deepseek-chat', input: 270, output: 1100 },
  { provider_key: 'anthropic', name: 'claude-haiku-4-5', input: 1000, output: 5000 },
];

const insertTenants = `INSERT INTO tenants (name, slug, time_zone)
  VALUES ('Northwind', 'northwind', 'Europe/Berlin'), ('Bluebird', 'bluebird', 'America/New_York')
  ON CONFLICT (slug) DO NOTHING`;

const insertUsers = `INSERT INTO users (tenant_id, role_id, email, name, password_hash)
  SELECT tenants.id, CASE WHEN last.place = 1 AND first.place <= 2 THEN 2 ELSE 3 END,
    lower(first.name || '.' || last.name || '@' || slug || '.example'), first.name || ' ' || last.name, 'no password'
  FROM tenants, unnest($1::text[]) WITH ORDINALITY first (name, place), unnest($2::text[]) WITH ORDINALITY last (name, place)
  WHERE last.place = 1 OR tenants.id = (SELECT min(id) FROM tenants)
  ON CONFLICT DO NOTHING`;

const insertTeams = `WITH made AS (
    INSERT INTO teams (tenant_id, name, description)
    SELECT id, team.name, team.name || ' of the demo' FROM tenants, unnest(ARRAY['Platform', 'Product', 'Research']) team (name)
    ON CONFLICT DO NOTHING RETURNING id, tenant_id, name
  )
  INSERT INTO team_members (tenant_id, team_id, user_id)
  SELECT users.tenant_id, made.id, users.id FROM users JOIN made ON made.tenant_id = users.tenant_id
    AND made.name = (ARRAY['Platform', 'Product', 'Research'])[1 + users.id % 3]
  WHERE users.id % 4 <> 0`;

const insertTasks = `WITH made AS (
    INSERT INTO tasks (tenant_id, title, description, category, difficulty_level, estimated_hours, token_limit, max_tokens_per_request)
    SELECT id, title, 'A task of the demo', category, 'intermediate', 8, 1000000, 8000
    FROM tenants, (VALUES ('Refactor the importer', 'coding'), ('Cover the scheduler with tests', 'testing'),
      ('Write the handbook', 'documentation'), ('Compare vector stores', 'research')) task (title, category)
    RETURNING id, tenant_id
  )
  INSERT INTO task_assignments (tenant_id, task_id, user_id)
  SELECT users.tenant_id, task.id, users.id FROM users JOIN LATERAL (
    SELECT id FROM made WHERE made.tenant_id = users.tenant_id ORDER BY id OFFSET users.id % 4 LIMIT 1
  ) task ON true`;

const insertProviders = `INSERT INTO llm_providers (tenant_id, provider_registry_id, provider_instance_name, enabled_models, is_service_managed)
  SELECT tenants.id, registry.id, 'Demo ' || registry.display_name, offered.names, registry.provider_key = 'google'
  FROM tenants, provider_registry registry JOIN (
    SELECT provider_key, array_agg(name) AS names FROM json_to_recordset($1) model (provider_key text, name text) GROUP BY 1
  ) offered USING (provider_key)
  ON CONFLICT DO NOTHING`;

const collectPeople = `CREATE TEMP TABLE demo_people ON COMMIT PRESERVE ROWS AS
  SELECT row_number() OVER (ORDER BY users.tenant_id, users.id)::int - 1 AS place, users.tenant_id, users.id AS user_id,
    (SELECT max(id) FROM api_keys WHERE user_id = users.id) AS api_key_id,
    (SELECT max(task_id) FROM task_assignments WHERE user_id = users.id) AS task_id,
    (SELECT max(team_id) FROM team_members WHERE user_id = users.id) AS team_id
  FROM users`;

const collectModels = `CREATE TEMP TABLE demo_models ON COMMIT PRESERVE ROWS AS
  SELECT model.place::int - 1 AS place, instance.tenant_id, instance.id AS llm_provider_id, registry.provider_key,
    instance.provider_instance_name AS instance_name, instance.is_service_managed, model.value->>'name' AS name,
    (model.value->>'input')::bigint AS input_nano_usd, (model.value->>'output')::bigint AS output_nano_usd
  FROM json_array_elements($1::json) WITH ORDINALITY model (value, place)
    JOIN provider_registry registry ON registry.provider_key = model.value->>'provider_key'
    JOIN llm_providers instance ON instance.provider_registry_id = registry.id AND instance.provider_instance_name LIKE 'Demo %'`;
