import { randomBytes } from 'node:crypto';
import { type ApiKeyScope, apiKeyScopes, llmProvidersRoutes, type RoleName } from '@sluice/contract';
import type pg from 'pg';
import { createLlmProvidersHandlers } from '#console/llm-providers/routes.ts';
import { formatApiKey } from '#domain/api-key.ts';
import type { Principal } from '#domain/principal.ts';
import type { Keyring } from '#platform/keyring.ts';
import { checkEndpointUrl } from '#upstream/outbound-guard.ts';
import { addPerson, addTenant, createTestConsole, noProvider } from '../console/console.ts';
import { addApiAccessTask } from '../load/api-access-task.ts';

export interface NewInstance {
  name: string;
  /** Model names with optional sandbox settings: `sandbox-normal:tokens=50`. */
  models: string[];
  /** Defaults to `custom`. */
  providerKey?: string;
  /** Defaults to the endpoint of the sandbox. */
  endpoint?: string;
  /** Defaults to `sk-test-provider-key`. */
  providerApiKey?: string;
  aliases?: Record<string, string>;
  isDefault?: boolean;
  tenantId?: number;
}

export interface NewPerson {
  name: string;
  role?: RoleName;
  tenantId?: number;
  hasNoTask?: true;
  scopes?: readonly ApiKeyScope[];
}

export interface KeyColumns {
  readonly kind?: 'named' | 'task';
  readonly models?: readonly string[];
  readonly dialects?: readonly string[];
  readonly networks?: readonly string[];
  readonly task_id?: number;
}

export interface Seeder {
  readonly tenantId: number;
  readonly sandboxOrigin: string;
  readonly pool: pg.Pool;
  addTenant(name: string): Promise<number>;
  /** `role` defaults to administrator. Users with the role `user` get an API access task by default. */
  addPerson(person: NewPerson): Promise<Principal & { apiKey: string }>;
  addApiKey(person: Principal, scopes?: readonly ApiKeyScope[], columns?: KeyColumns): Promise<string>;
  /**
   * Adds tasks with these ids for the first administrator, who must name a task in each request if there are several.
   */
  addTasks(...ids: readonly number[]): Promise<void>;
  addInstance(instance: NewInstance): Promise<number>;
}

export async function createSeeder(pool: pg.Pool, keyring: Keyring, sandboxOrigin: string): Promise<Seeder> {
  const admin = await findAdministrator(pool);
  const { tenantId } = admin;

  const addApiKey: Seeder['addApiKey'] = async (person, scopes = apiKeyScopes, columns = {}) => {
    const apiKey = formatApiKey(randomBytes(64));
    await pool.query(
      `INSERT INTO api_keys (tenant_id, user_id, name, key_hash, last4, scopes, kind, models, dialects, networks, task_id)
       VALUES ($1, $2, 'test', $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        person.tenantId,
        person.userId,
        keyring.hashApiKey(apiKey),
        apiKey.slice(-4),
        scopes,
        columns.kind ?? 'primary',
        columns.models ?? null,
        columns.dialects ?? null,
        columns.networks ?? null,
        columns.task_id ?? null,
      ],
    );
    return apiKey;
  };

  return {
    tenantId,
    sandboxOrigin,
    pool,
    addApiKey,
    addTenant: (name) => addTenant(pool, name),
    async addPerson({ name, role = 'admin', scopes, hasNoTask, ...person }) {
      const principal = await addPerson(pool, person.tenantId ?? tenantId, role, `${name}@example.com`);
      if (role === 'user' && !hasNoTask) await addApiAccessTask(pool, principal);
      return { ...principal, apiKey: await addApiKey(principal, scopes) };
    },
    addTasks: (...ids) => addTasks(pool, admin, ids),
    addInstance: createAddInstance(pool, keyring, admin, `${sandboxOrigin}/v1`),
  };
}

async function findAdministrator(pool: pg.Pool): Promise<Principal> {
  const [row] = (
    await pool.query<{ id: number; tenant_id: number }>('SELECT id, tenant_id FROM users ORDER BY id LIMIT 1')
  ).rows;
  return {
    userId: row!.id,
    tenantId: row!.tenant_id,
    name: 'Administrator',
    email: 'admin@example.com',
    role: 'super_admin',
    blockedReason: null,
    credential: { kind: 'session', sessionId: 'test' },
  };
}

async function addTasks(
  pool: pg.Pool,
  { tenantId, userId }: Principal,
  ids: readonly number[],
): Promise<void> {
  await pool.query(
    `INSERT INTO tasks (id, tenant_id, title, description, category, difficulty_level, estimated_hours)
     OVERRIDING SYSTEM VALUE SELECT id, $2, 'A task', 'For the tests', 'coding', 'beginner', 1 FROM unnest($1::integer[]) id`,
    [ids, tenantId],
  );
  await pool.query(
    'INSERT INTO task_assignments (tenant_id, task_id, user_id) SELECT $2, id, $3 FROM unnest($1::integer[]) id',
    [ids, tenantId, userId],
  );
}

function createAddInstance(
  pool: pg.Pool,
  keyring: Keyring,
  admin: Principal,
  usualEndpoint: string,
): Seeder['addInstance'] {
  const providers = createTestConsole(
    pool,
    llmProvidersRoutes,
    createLlmProvidersHandlers({
      ...noProvider,
      keyring,
      checkEndpointUrl: (url) => checkEndpointUrl(url, { allowPrivate: true }),
    }),
  );
  return async ({ name, models, aliases, providerKey = 'custom', ...more }) => {
    const [registry] = (
      await pool.query<{ id: number }>('SELECT id FROM provider_registry WHERE provider_key = $1', [
        providerKey,
      ])
    ).rows;
    const principal = { ...admin, tenantId: more.tenantId ?? admin.tenantId };
    const { id } = await providers({ principal }).createLlmProvider({
      body: {
        provider_registry_id: registry!.id,
        provider_instance_name: name,
        api_endpoint: more.endpoint ?? usualEndpoint,
        api_key: more.providerApiKey ?? 'sk-test-provider-key',
        enabled_models: models,
        model_aliases: aliases,
        is_default: more.isDefault ?? false,
      },
    });
    return id;
  };
}
