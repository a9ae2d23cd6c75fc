import { randomUUIDv7 } from 'node:crypto';
import { contract, foldName, foldText, type RouteRow } from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiKeysHandlers } from '#console/api-keys/routes.ts';
import { createAuditLogHandlers } from '#console/audit-log/routes.ts';
import { createBlacklistHandlers } from '#console/blacklist/routes.ts';
import { createChatsHandlers } from '#console/chats/routes.ts';
import { createLlmComparisonHandlers } from '#console/llm-comparison/routes.ts';
import { createLogsHandlers } from '#console/logs/routes.ts';
import { createManagementTokensHandlers } from '#console/management-tokens/routes.ts';
import { createOutboxHandlers } from '#console/outbox/routes.ts';
import { createPortalHandlers } from '#console/portal/routes.ts';
import { createTasksHandlers } from '#console/tasks/routes.ts';
import { createTeamsHandlers } from '#console/teams/routes.ts';
import { createTenantsHandlers } from '#console/tenants/routes.ts';
import { createSystemDatabase } from '#db/system.ts';
import type { Principal } from '#domain/principal.ts';
import { createKeyring } from '#platform/keyring.ts';
import { addPerson, addTenant, createTestConsole } from '../console/console.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

let database: TestDatabase;
let admin: Principal;
const run = async (statement: string, ...values: unknown[]) =>
  (await database.pool.query(statement, values)).rows;

/** Stored name of each object. `typed` is the same name from another keyboard. */
const stored = 'Zoë Müller';
const typed = 'zoe MU\u0308LL\u00adER';

beforeAll(async () => {
  database = await createTestDatabase();
  const tenantId = await addTenant(database.pool, stored);
  admin = await addPerson(database.pool, tenantId, 'super_admin', 'zoe@one.test');
});
afterAll(() => database.close());

describe('folding in the database', () => {
  /**
   * Letters of all scripts with case or marks, and the characters that folding removes, each between other
   * characters.
   */
  const texts = [
    ...Array.from({ length: 0x2c00 }, (_, code) => code),
    ...Array.from({ length: 0x100 }, (_, step) => 0xac00 + step * 40),
    ...Array.from({ length: 0x200 }, (_, step) => 0xfe00 + step),
    ...Array.from({ length: 0x100 }, (_, step) => 0x3040 + step),
  ]
    .map((code) => String.fromCharCode(code))
    .filter((letter) => /[\p{L}\p{M}\p{N}\p{Cf}\p{P}\p{S}]/u.test(letter))
    .map((letter) => `a${letter}b`);

  it.each([
    ['search_key', foldText],
    ['name_key', foldName],
  ] as const)('%s in the database folds each character as in the contract', async (name, fold) => {
    const rows = await run(`SELECT text, ${name}(text) AS key FROM unnest($1::text[]) text`, texts);
    const differing = rows.filter(({ text, key }) => key !== fold(text));
    expect(rows).toHaveLength(texts.length);
    expect(differing.map(({ text, key }) => `${text}: ${key}, not ${fold(text)}`)).toEqual([]);
  });
});

describe('folding of long texts', () => {
  it('search_key folds a text of 6,000 characters completely', async () => {
    const text = 'é1 '.repeat(2_000);
    expect(await run('SELECT search_key($1) AS key', text)).toEqual([{ key: foldText(text) }]);
  });

  it('search_key takes less than 40 times as long for ten times as many accents on one letter', async () => {
    const measure = async (pairs: number) => {
      const accents = `a${'\u0315\u0316'.repeat(pairs)}`;
      const startedMs = performance.now();
      expect(await run('SELECT length(search_key($1)) AS length', accents)).toEqual([{ length: 1 }]);
      return performance.now() - startedMs;
    };
    const leastOf = async (pairs: number) =>
      Math.min(await measure(pairs), await measure(pairs), await measure(pairs));
    // The text has ten times as many accents. Sorting all of them would take a hundred times as long.
    expect((await leastOf(50_000)) / (await leastOf(5_000))).toBeLessThan(40);
  });
});

describe('unique names', () => {
  const spellings = ['Cafe\u0301 A', 'CAFÉ a', 'Café\u00a0A', 'Ca\u200bfé A', 'Ｃafé  A'];

  const insertTeam = 'INSERT INTO teams (tenant_id, name) VALUES ($1, $2)';
  const insertProvider = `INSERT INTO llm_providers (tenant_id, provider_registry_id, provider_instance_name)
    SELECT $1, id, $2 FROM provider_registry WHERE provider_key = 'openai'`;

  /**
   * Unique indexes on texts that users type, each with a way to insert a row or the reason why the text has only one
   * spelling.
   */
  const typedTexts: Readonly<Record<string, string>> = {
    teams_name: insertTeam,
    llm_providers_name: insertProvider,
    scim_tokens_name: `INSERT INTO scim_tokens (tenant_id, name, token_hash, last4, expires_at)
      VALUES ($1, $2::text, sha256($2::text::bytea), 'abcd', now() + interval '1 day')`,
    users_service_account_name: `INSERT INTO users (tenant_id, role_id, email, name, password_hash, account_kind)
      VALUES ($1, 3, gen_random_uuid() || '@service-account.invalid', $2, 'x', 'service')`,
    identity_providers_name: `INSERT INTO identity_providers (tenant_id, name, issuer, client_id)
      VALUES ($1, $2, 'https://' || gen_random_uuid(), 'x')`,
    domains_one_owner: 'canonical: the contract stores a domain in one form',
    domains_tenant_id_name_key: 'canonical: the contract stores a domain in one form',
    users_email: 'canonical: the contract stores an address in one form',
    invitations_one_open: 'canonical: the contract stores an address in one form',
    tenants_slug_key: 'canonical: lowercase ASCII letters, digits and dashes only',
    provider_registry_provider_key_key:
      'canonical: lowercase ASCII letters, digits, dashes and underscores only',
    blacklist_entries_once:
      'canonical: invisible characters are rejected, and names of models are those of providers',
  };

  /** Tables with unique texts that are not names typed by users. */
  const generated = new Set([
    'roles',
    'budgets',
    'budget_defaults',
    'user_identities',
    'allowances',
    'usage_rollups',
    'usage_days',
    'labeled_usage',
    'ledger_entries',
    'price_overrides',
    'payments',
    'webhook_events',
    'payment_customers',
    'subscriptions',
    'simulated_intents',
    'simulated_customers',
    'simulated_setup_intents',
    'simulated_subscriptions',
    'idempotency_keys',
    'alerts',
    'provider_refusals',
    'passkeys',
    'managed_objects',
  ]);

  beforeAll(() =>
    run(
      "INSERT INTO provider_registry (provider_key, display_name, icon) VALUES ('openai', 'OpenAI', '') ON CONFLICT DO NOTHING",
    ),
  );

  it('every unique index on a text that users type is listed', async () => {
    const indexes = await run(`SELECT index.relname AS name, owner.relname AS owner
      FROM pg_index JOIN pg_class index ON index.oid = indexrelid JOIN pg_class owner ON owner.oid = indrelid
      WHERE indisunique AND NOT indisprimary AND owner.relnamespace = 'public'::regnamespace AND NOT owner.relispartition
        AND EXISTS (SELECT FROM pg_attribute WHERE attrelid = indexrelid AND atttypid = 'text'::regtype)`);
    const typed = indexes
      .filter(({ name, owner }) => !generated.has(owner) && name !== 'identity_providers_callback')
      .map(({ name }) => name as string);
    expect(typed.toSorted()).toEqual(Object.keys(typedTexts).toSorted());
  });

  const names = Object.entries(typedTexts).filter(([, insert]) => insert.startsWith('INSERT'));
  it.each(names)('%s rejects each spelling of a name that looks the same', async (name, insert) => {
    await run(insert, admin.tenantId, 'Café A');
    for (const spelling of spellings)
      await expect(run(insert, admin.tenantId, spelling), spelling).rejects.toMatchObject({
        constraint: name,
      });
    await run(insert, admin.tenantId, 'Cafe A');
  });
});

describe('search', () => {
  const keyring = createKeyring('test');
  const unused = {} as never;
  const handlers: Readonly<Record<string, object>> = {
    apiKeys: createApiKeysHandlers({ keyring }),
    auditLog: createAuditLogHandlers(),
    blacklist: createBlacklistHandlers(),
    chats: createChatsHandlers({ runs: unused }),
    llmComparison: createLlmComparisonHandlers({ runs: unused }),
    logs: createLogsHandlers(),
    managementTokens: createManagementTokensHandlers({ keyring } as never),
    outbox: createOutboxHandlers({ keyring, publicUrl: 'https://sluice.test', hasServer: false }),
    portal: createPortalHandlers(),
    tasks: createTasksHandlers(),
    teams: createTeamsHandlers(),
  };

  const searching = Object.entries(contract).flatMap(([noun, table]) =>
    Object.entries(table as Readonly<Record<string, RouteRow>>)
      .filter(([, { request }]) => 'search' in fieldsOf(request?.query))
      .map(([name]) => [noun, name] as const),
  );

  const ownedRows = [
    `INSERT INTO api_keys (tenant_id, user_id, name, key_hash, last4, scopes)
     VALUES ($1, $2, $3, sha256('key'), 'abcd', '{models}')`,
    `INSERT INTO management_tokens (tenant_id, user_id, name, token_hash, last4, scopes, expires_at)
     VALUES ($1, $2, $3, sha256('token'), 'abcd', '{account:read}', now() + interval '1 day')`,
    'INSERT INTO llm_comparisons (id, tenant_id, user_id, prompt) VALUES (gen_random_uuid(), $1, $2, $3)',
    'INSERT INTO chats (id, tenant_id, user_id, title) VALUES (gen_random_uuid(), $1, $2, $3)',
  ];

  beforeAll(async () => {
    const { tenantId, userId } = admin;
    await run('UPDATE users SET name = $2 WHERE id = $1', userId, stored);
    await run('INSERT INTO teams (tenant_id, name) VALUES ($1, $2)', tenantId, stored);
    for (const statement of ownedRows) await run(statement, tenantId, userId, stored);
    await run(
      `INSERT INTO tasks (tenant_id, title, description, category, difficulty_level, estimated_hours)
       VALUES ($1, $2, 'x', 'coding', 'beginner', 1)`,
      tenantId,
      stored,
    );
    await run(
      "INSERT INTO blacklist_entries (tenant_id, provider_key, reason) VALUES ($1, 'openai', $2)",
      tenantId,
      stored,
    );
    await run(
      `INSERT INTO mails (tenant_id, to_address, subject, body, action, opens_role_id, status, expires_at)
       VALUES ($1, 'x@one.test', $2, '', '', 3, 'held', now() + interval '1 day')`,
      tenantId,
      stored,
    );
    await run(
      `INSERT INTO request_logs (id, tenant_id, user_id, protocol, operation, status, http_status, is_stream, attempts,
         received_at, response_time_ms, usage_source)
       VALUES ($3, $1, $2, 'openai-chat', 'chat', 'success', 200, false, 1, now(), 1, 'none')`,
      tenantId,
      userId,
      randomUUIDv7(),
    );
  });

  it('the search tests have handlers for every route with a search', () => {
    expect(searching.length).toBeGreaterThan(10);
    const missing = searching.filter(([noun]) => !(noun in handlers) && noun !== 'tenants');
    expect(missing).toEqual([]);
  });

  it.each(searching)('%s.%s finds a name regardless of case, accents and composition', async (noun, name) => {
    const found = JSON.stringify(await search(noun, name, typed));
    // Requests are found by user name, which some responses do not contain.
    if (noun === 'logs' || noun === 'portal')
      expect(found).not.toBe(JSON.stringify(await search(noun, name, 'Zoe Mueller')));
    else expect(found).toContain(stored);
  });

  async function search(noun: string, name: string, text: string): Promise<unknown> {
    // safe because both tables are read by the same noun
    const routes = contract[noun as keyof typeof contract] as Readonly<Record<string, RouteRow>>;
    const bound = noun === 'tenants' ? tenantsHandlers() : handlers[noun];
    const calls = createTestConsole(database.pool, routes, bound as never)({ principal: admin });
    const answer: unknown = await calls[name]?.({ query: { search: text } } as never);
    return answer instanceof Blob ? answer.text() : answer;
  }

  const tenantsHandlers = () =>
    createTenantsHandlers({ system: createSystemDatabase(database.pool) } as never);
});

function fieldsOf(schema: unknown): object {
  const { shape = {} } = (schema ?? {}) as { shape?: object };
  return shape;
}
