import type { RoleName } from '@sluice/contract';
import fc from 'fast-check';
import { createKeyring } from '#platform/keyring.ts';
import { providerKeyPlace, sealSecret } from '#platform/seal-secret.ts';
import { addPerson } from '../console/console.ts';
import { masterSecret } from '../console/gateway.ts';
import type { Seeder } from '../database/seed.ts';
import { addApiAccessTask } from '../load/api-access-task.ts';

export interface GeneratedWorld {
  readonly tenantStatus: 'trial' | 'active' | 'suspended';
  readonly role: RoleName;
  readonly isActive: boolean;
  readonly blockedReason: string | null;
  readonly requestsPerHour: number | null;
  readonly dailyQuota: number | null;
  readonly instances: readonly GeneratedInstance[];
  readonly blocks: readonly { providerKey: string; pattern: string | null }[];
  /** Grants by the index of the instance in the list. */
  readonly grants: readonly (readonly string[] | null)[];
  readonly teams: readonly GeneratedTeam[];
  readonly tasks: readonly GeneratedTask[];
  readonly apiAccessTask: GeneratedTask | null;
  readonly asked: string;
}

interface GeneratedInstance {
  readonly name: string;
  readonly providerKey: string;
  readonly models: readonly string[];
  readonly alias: string | null;
  readonly isActive: boolean;
  readonly isDefault: boolean;
  readonly key: 'good' | 'broken';
}

interface GeneratedTeam {
  readonly isActive: boolean;
  readonly membership: 'active' | 'inactive' | 'none';
  readonly grants: readonly (readonly string[] | null)[];
}

interface GeneratedTask {
  readonly isActive: boolean;
  readonly status: 'active' | 'completed';
  readonly tokenLimit: number | null;
}

const models = ['sandbox-normal', 'sandbox-echo'] as const;
const rarely = <Value>(usual: Value, rare: Value) =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constant(rare) });
const grant = fc.option(fc.subarray([...models]));
const grants = fc.array(grant, { minLength: 3, maxLength: 3 });

const instance = fc.record<GeneratedInstance>({
  name: fc.constantFrom('Main', 'custom', 'Second'),
  providerKey: fc.constantFrom('custom', 'custom', 'custom', 'sandbox', 'groq', 'later'),
  models: fc.subarray([...models], { minLength: 1 }),
  alias: fc.option(fc.constantFrom('fast', 'sandbox-echo')),
  isActive: rarely(true, false),
  isDefault: fc.boolean(),
  key: rarely<'good' | 'broken'>('good', 'broken'),
});

const task = fc.record<GeneratedTask>({
  isActive: rarely(true, false),
  status: rarely<'active' | 'completed'>('active', 'completed'),
  tokenLimit: rarely<number | null>(null, 0),
});

export const worldArbitrary = fc.record<GeneratedWorld>({
  tenantStatus: fc.constantFrom('active', 'active', 'active', 'trial', 'trial', 'suspended'),
  role: fc.constantFrom('user', 'user', 'user', 'user', 'admin', 'super_admin'),
  isActive: rarely(true, false),
  blockedReason: rarely<string | null>(null, 'too many prompts'),
  requestsPerHour: rarely<number | null>(null, 0),
  dailyQuota: rarely<number | null>(null, 0),
  instances: fc.uniqueArray(instance, { minLength: 1, maxLength: 3, selector: ({ name }) => name }),
  blocks: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    {
      weight: 2,
      arbitrary: fc.uniqueArray(
        fc.record({
          providerKey: fc.constantFrom('CUSTOM', 'custom', 'Sandbox', 'openai'),
          pattern: fc.constantFrom(null, 'SANDBOX-n*', 'sandbox-echo', '{fast,nothing}', 'main/*', '{'),
        }),
        { maxLength: 2, selector: ({ providerKey, pattern }) => `${providerKey.toLowerCase()} ${pattern}` },
      ),
    },
  ),
  grants,
  teams: fc.array(
    fc.record<GeneratedTeam>({
      isActive: rarely(true, false),
      membership: fc.constantFrom('active', 'active', 'inactive', 'none'),
      grants,
    }),
    { maxLength: 2 },
  ),
  tasks: fc.array(task, { maxLength: 2 }),
  apiAccessTask: fc.option(task),
  asked: fc.constantFrom(
    ...['sandbox-normal', 'sandbox-normal', 'sandbox-echo', 'fast', 'Sandbox-Normal', 'FAST'],
    ...['main/sandbox-normal', 'CUSTOM/sandbox-echo', 'second/fast', 'nothing', 'constructor'],
  ),
});

const usualWorld: GeneratedWorld = {
  tenantStatus: 'active',
  role: 'user',
  isActive: true,
  blockedReason: null,
  requestsPerHour: null,
  dailyQuota: null,
  instances: [
    {
      name: 'Main',
      providerKey: 'custom',
      models,
      alias: null,
      isActive: true,
      isDefault: true,
      key: 'good',
    },
  ],
  blocks: [],
  grants: [models, null, null],
  teams: [],
  tasks: [],
  apiAccessTask: { isActive: true, status: 'active', tokenLimit: null },
  asked: 'sandbox-normal',
};

/** One world per outcome, since random worlds may not cover all outcomes. */
export const worldsByOutcome = new Map<string | null, GeneratedWorld>([
  [null, usualWorld],
  ['account_blocked', { ...usualWorld, blockedReason: 'too many prompts' }],
  ['task_required', { ...usualWorld, apiAccessTask: null }],
  ['tenant_suspended', { ...usualWorld, tenantStatus: 'suspended' }],
  ['model_not_found', { ...usualWorld, grants: [null, null, null] }],
  ['model_blacklisted', { ...usualWorld, blocks: [{ providerKey: 'custom', pattern: null }] }],
  ['requests_per_hour_exceeded', { ...usualWorld, requestsPerHour: 0 }],
  ['tokens_per_day_exceeded', { ...usualWorld, dailyQuota: 0 }],
]);

const { sealingKey } = createKeyring(masterSecret);

export async function addWorld(seed: Seeder, world: GeneratedWorld, index: number) {
  const tenantId = await seed.addTenant(`World ${index}`);
  const insert = async (statement: string, ...values: unknown[]): Promise<number> => {
    const { rows } = await seed.pool.query<{ id: number }>(`${statement} RETURNING id`, [
      tenantId,
      ...values,
    ]);
    return rows[0]!.id;
  };
  await seed.pool.query('UPDATE tenants SET status = $2 WHERE id = $1', [tenantId, world.tenantStatus]);
  const person = await addPerson(seed.pool, tenantId, world.role, `person-${index}@world.test`);
  await seed.pool.query(
    `UPDATE users SET is_active = $2, is_blocked = $3::text IS NOT NULL, blocked_reason = $3, requests_per_hour = $4,
       daily_quota = $5 WHERE id = $1`,
    [person.userId, world.isActive, world.blockedReason, world.requestsPerHour, world.dailyQuota],
  );
  const instanceIds: number[] = [];
  for (const given of world.instances) instanceIds.push(await addInstance(seed, tenantId, world, given));
  const addGrants = async (table: string, column: string, id: number, given: GeneratedWorld['grants']) => {
    for (const [place, instanceId] of instanceIds.entries()) {
      const allowed = given[place];
      if (!allowed) continue;
      const columns = `tenant_id, ${column}, llm_provider_id, allowed_models`;
      await insert(`INSERT INTO ${table} (${columns}) VALUES ($1, $2, $3, $4)`, id, instanceId, allowed);
    }
  };
  await addGrants('user_provider_access', 'user_id', person.userId, world.grants);
  for (const [number, team] of world.teams.entries()) {
    const into = 'INSERT INTO teams (tenant_id, name, is_active) VALUES ($1, $2, $3)';
    const teamId = await insert(into, `Team ${number}`, team.isActive);
    await addGrants('team_provider_access', 'team_id', teamId, team.grants);
    if (team.membership === 'none') continue;
    const join = 'INSERT INTO team_members (tenant_id, team_id, user_id, is_active) VALUES ($1, $2, $3, $4)';
    await insert(join, teamId, person.userId, team.membership === 'active');
  }
  for (const { providerKey, pattern } of world.blocks) {
    const columns = "(tenant_id, provider_key, model_pattern, reason) VALUES ($1, $2, $3, 'a test')";
    await insert(`INSERT INTO blacklist_entries ${columns}`, providerKey, pattern);
  }
  for (const given of world.tasks) await addTask(seed, person, given, 'regular');
  if (world.apiAccessTask) await addTask(seed, person, world.apiAccessTask, 'api access');
  return { ...person, apiKey: await seed.addApiKey(person) };
}

async function addInstance(
  { pool, sandboxOrigin }: Seeder,
  tenantId: number,
  { instances }: GeneratedWorld,
  given: GeneratedInstance,
): Promise<number> {
  const isFirstDefault = instances.find(
    ({ isDefault, providerKey }) => isDefault && providerKey === given.providerKey,
  );
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO llm_providers (tenant_id, provider_registry_id, provider_instance_name, api_endpoint, enabled_models,
       model_aliases, is_active, is_default)
     SELECT $1, id, $3, $4, $5, $6, $7, $8 FROM provider_registry WHERE provider_key = $2 RETURNING id`,
    [
      tenantId,
      given.providerKey,
      given.name,
      given.providerKey === 'sandbox' ? null : `${sandboxOrigin}/v1`,
      given.models,
      given.alias === null ? {} : { [given.alias]: given.models[0] },
      given.isActive,
      given === isFirstDefault,
    ],
  );
  const { id } = rows[0]!;
  const sealed = sealSecret(sealingKey, providerKeyPlace(tenantId, id), 'sk-test-provider-key');
  const stored = given.key === 'good' ? sealed : sealed.subarray(1);
  await pool.query('UPDATE llm_providers SET sealed_api_key = $2 WHERE id = $1', [id, stored]);
  return id;
}

async function addTask(
  { pool }: Seeder,
  person: { tenantId: number; userId: number },
  { isActive, status, tokenLimit }: GeneratedTask,
  kind: 'regular' | 'api access',
): Promise<void> {
  const id = await addApiAccessTask(pool, person, kind);
  const dummy = kind === 'regular' ? 'is_dummy_task = false, user_id = NULL,' : '';
  await pool.query(`UPDATE tasks SET ${dummy} is_active = $2, token_limit = $3 WHERE id = $1`, [
    id,
    isActive,
    tokenLimit,
  ]);
  if (status === 'completed') {
    await pool.query(
      "UPDATE task_assignments SET status = 'completed', ended_at = now() WHERE task_id = $1 AND user_id = $2",
      [id, person.userId],
    );
  }
}
