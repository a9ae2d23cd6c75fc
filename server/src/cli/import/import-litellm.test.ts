import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import OpenAI from 'openai';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { syncRegistry } from '#console/provider-registry/sync-registry.ts';
import { addTenant } from '#test/console/console.ts';
import { startWorker, testKeyring, testSecret } from '#test/console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createSource, litellmSaltKey, type SourceOfTest } from '#test/import/source.ts';
import { itAtFullSize } from '#test/load/sample.ts';
import { callCommand } from '#test/processes/run-command.ts';

let database: TestDatabase;
let source: SourceOfTest;
let folder: string;
let tenantId: number;

beforeEach(async () => {
  database = await createTestDatabase();
  await database.pool.query('INSERT INTO installation (secret_check) VALUES ($1)', [testKeyring.secretCheck]);
  tenantId = await addTenant(database.pool, 'Acme');
  await syncRegistry(drizzle({ client: database.pool }));
  source = await createSource('litellm.sql');
  folder = mkdtempSync(join(tmpdir(), 'sluice-import-'));
  writeFileSync(join(folder, 'salt'), `${litellmSaltKey}\n`);
  writeFileSync(join(folder, 'wrong'), 'sk-another-salt');
});
afterEach(async () => {
  await source.close();
  await database.close();
  rmSync(folder, { recursive: true });
});

const environment = () => ({
  DATABASE_URL: database.connectionString,
  SLUICE_SECRET: testSecret,
  SLUICE_DATA_DIR: folder,
  SLUICE_ALLOW_PRIVATE_ENDPOINTS: '1',
  IMPORT_TEST_OPENAI_KEY: 'key-of-openai',
  PORT: '0',
});
const run = async (args: readonly string[] = [], salt = 'salt') => {
  const found = await callCommand(
    ['import', 'litellm', '--database', source.url, '--salt-key-file', join(folder, salt), '--json', ...args],
    environment(),
  );
  return { ...found, report: found.stdout === '' ? null : JSON.parse(found.stdout) };
};
const select = async (sql: string) => (await database.pool.query(sql)).rows;
const countAll = async () => {
  const tables = [
    'llm_providers',
    'teams',
    'users',
    'team_members',
    'tasks',
    'api_keys',
    'budgets',
    'allowances',
  ];
  return select(
    `SELECT ${tables.map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`).join(', ')}`,
  );
};

it("import litellm creates LiteLLM's objects, and a second run changes nothing", async () => {
  const plan = await run(['--plan']);
  expect({ code: plan.code, stderr: plan.stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('processed'),
  });
  expect(await countAll()).toMatchObject([{ llm_providers: 0, teams: 0, users: 0, api_keys: 0, budgets: 0 }]);
  const first = await run();
  expect([first.code, first.stderr]).toEqual([0, expect.stringMatching(/^\{"inst/)]);
  expect({ ...first.report, is_plan: true }).toEqual(plan.report);
  for (const secret of ['provider-key-one', 'provider-key-two', 'key-of-openai', litellmSaltKey])
    expect(first.stdout + first.stderr).not.toContain(secret);
  const after = await countAll();
  const second = await run();
  expect([second.code, second.report.changes]).toEqual([0, 0]);
  expect((await run(['--plan'])).code).toBe(0);
  expect(await countAll()).toEqual(after);
});

it('import litellm imports keys with their alias, owner, models, expiry and labels', async () => {
  const { report } = await run();
  expect(
    await select(`SELECT k.name, k.kind, k.origin, k.last4, k.models, k.expires_at IS NOT NULL AS expires, k.labels, u.email, u.account_kind AS owner
      FROM api_keys k JOIN users u ON u.id = k.user_id ORDER BY lower(k.name)`),
  ).toMatchObject([
    { name: 'ada alone', email: 'ada@import.test', models: null },
    {
      name: 'ada at red',
      origin: 'litellm',
      last4: '0001',
      models: ['chat'],
      labels: { cost_center: '4711', tags: 'one two' },
    },
    { name: 'batch job', owner: 'service' },
    { name: 'LiteLLM key 0005', owner: 'service', models: ['chat'], expires: true },
    { name: 'red service', owner: 'service', models: null },
    { name: 'spent', email: 'ben@import.test', last4: '1234' },
  ]);
  const reasons = report.findings.map(({ reason }: { reason: string }) => reason);
  expect(reasons).toEqual(
    expect.arrayContaining([
      'it has expired',
      'it is blocked',
      'Sluice does not support the provider bedrock',
      expect.stringContaining('window of 14d'),
    ]),
  );
});

it("import litellm starts budgets with LiteLLM's spend", async () => {
  await run();
  const rows =
    await select(`SELECT b.period, b.limit_amount::float8 / 1e9 AS limit, a.settled::float8 / 1e9 AS spent, k.name AS key, t.name AS team, u.name AS "user"
    FROM budgets b LEFT JOIN allowances a ON a.kind = 'usd_budget' AND a.subject_id = b.id
    LEFT JOIN api_keys k ON k.id = b.api_key_id LEFT JOIN teams t ON t.id = b.team_id LEFT JOIN users u ON u.id = b.user_id
    WHERE b.measure = 'usd' ORDER BY b.limit_amount`);
  expect(rows).toEqual([
    { period: 'total', limit: 1, spent: 1.5, key: 'spent', team: null, user: null },
    { period: 'week', limit: 5, spent: 2, key: null, team: 'Red', user: 'ben' },
    { period: 'week', limit: 7, spent: 3.5, key: 'red service', team: null, user: null },
    { period: 'total', limit: 10, spent: 4.5, key: 'ada at red', team: null, user: null },
    { period: 'total', limit: 50, spent: 1.25, key: null, team: null, user: 'Ada Lovelace' },
    { period: 'month', limit: 100, spent: 12.5, key: null, team: 'Red', user: null },
  ]);
});

it('an imported key authenticates unchanged, and its spent budget rejects requests', async () => {
  await run();
  await database.pool.query(
    `UPDATE tenants SET unpriced_models = 'fallback', fallback_price = '{"input": 1, "output": 1}'`,
  );
  const worker = await startWorker({ connectionString: database.connectionString });
  try {
    const call = (key: string, path: string, body?: object) =>
      fetch(`${worker.origin}/v1/${path}`, {
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      });
    for (const key of ['sk-ada-of-the-red-team-0001', 'sk-ada-alone-0002', 'sk-red-service-0003', 'sk-1234'])
      expect({ key, status: (await call(key, 'models')).status }).toEqual({ key, status: 200 });
    expect((await call('sk-expired-0006', 'models')).status).toBe(401);
    const chat = { model: 'chat', messages: [{ role: 'user', content: 'hello' }], max_tokens: 5 };
    const spent = await call('sk-1234', 'chat/completions', chat);
    expect([spent.status, await spent.text()]).toEqual([429, expect.stringContaining('$1.50 of $1.00')]);
  } finally {
    await worker.close();
  }
});

it('import litellm fails with a wrong salt key before anything is written', async () => {
  const { code, stderr } = await run([], 'wrong');
  expect([code, stderr]).toEqual([1, expect.stringContaining('The salt key does not decrypt')]);
  expect(await countAll()).toMatchObject([{ llm_providers: 0, teams: 0, users: 0, api_keys: 0, budgets: 0 }]);
});

it('import litellm keeps the order of the deployments of a group, followed by its fallbacks', async () => {
  await run();
  const rows = await select(
    `SELECT provider_instance_name AS name, model_aliases ->> 'chat' AS chat FROM llm_providers WHERE tenant_id = ${tenantId} AND model_aliases ? 'chat' ORDER BY fallback_position`,
  );
  expect(rows.map(({ chat }) => chat)).toEqual(['llama-3', 'qwen-3', 'small']);
});

it('the commands of docs/operating/move-from-litellm.md plan with exit code 2 and import with exit code 0', async () => {
  const page = readFileSync(
    join(import.meta.dirname, '../../../../docs/operating/move-from-litellm.md'),
    'utf8',
  );
  const lines = [...page.matchAll(/^ +npx sluice (import .+)$/gm)].map(([, line = '']) => line.split(' '));
  const codes: number[] = [];
  for (const words of lines) {
    const given = words.map((word) =>
      word.startsWith('postgresql:') ? source.url : word === 'salt-key.txt' ? join(folder, 'salt') : word,
    );
    codes.push((await callCommand(given, environment())).code);
  }
  expect(codes).toEqual([2, 0]);
});

it('import litellm reads config.yaml, and reports its errors with line and column', async () => {
  const path = join(folder, 'config.yaml');
  writeFileSync(
    path,
    `model_list:
  - model_name: fast
    litellm_params:
      model: openai/gpt-4o-mini
      api_key: os.environ/IMPORT_TEST_OPENAI_KEY
  - model_name: slow
    litellm_params:
      model: anthropic/claude-3-haiku-20240307
      api_key: os.environ/IMPORT_TEST_MISSING
router_settings:
  model_group_alias: {quick: fast}
litellm_settings:
  callbacks: [prometheus]
`,
  );
  const call = async () => {
    const { code, stderr, stdout } = await callCommand(
      ['import', 'litellm', '--config', path, '--json'],
      environment(),
    );
    return { code, stderr, report: stdout === '' ? null : JSON.parse(stdout) };
  };
  const { report } = await call();
  expect(await select('SELECT enabled_models, model_aliases FROM llm_providers')).toEqual([
    { enabled_models: ['gpt-4o-mini'], model_aliases: { fast: 'gpt-4o-mini', quick: 'gpt-4o-mini' } },
  ]);
  expect(report.findings).toMatchObject([
    { kind: 'models', examples: ['slow'], reason: expect.stringContaining('IMPORT_TEST_MISSING') },
    { kind: 'settings', examples: ['litellm_settings.callbacks'] },
  ]);
  writeFileSync(path, 'model_list:\n  - litellm_params: {}\n');
  const fault = await call();
  expect([fault.code, fault.stderr]).toEqual([1, expect.stringContaining('config.yaml:')]);
});

it('import litellm reads a running LiteLLM, which returns its keys as hashes', async () => {
  const token = createHash('sha256').update('sk-from-url').digest('hex');
  const answers: Record<string, unknown> = {
    '/model/info': {
      data: [
        {
          model_name: 'remote',
          litellm_params: { model: 'openai/gpt-4o', api_key: 'sk-p****ed' },
          model_info: { id: 'x' },
        },
      ],
    },
    '/key/list': {
      keys: [{ token, key_alias: 'by url', models: [], user_id: 'u1', spend: 1, max_budget: 2 }],
      total_pages: 1,
    },
    '/user/list': { users: [{ user_id: 'u1', user_email: 'url@import.test', models: [] }], total_pages: 1 },
    '/team/list': [],
    '/budget/list': [],
  };
  const server = createServer((request, response) => {
    const isAllowed = request.headers.authorization === 'Bearer sk-master';
    response.statusCode = isAllowed ? 200 : 401;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answers[(request.url ?? '').replace(/\?.*/, '')] ?? null));
  }).listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const call = (key: string) =>
      callCommand(['import', 'litellm', '--url', url, '--key', key], {
        ...environment(),
        OPENAI_API_KEY: 'key-of-openai',
      });
    expect(await call('sk-wrong')).toMatchObject({ code: 1, stderr: expect.stringContaining('master key') });
    expect(await call('sk-master')).toMatchObject({ code: 0 });
    expect(await select('SELECT name, key_hash FROM api_keys')).toEqual([
      { name: 'by url', key_hash: testKeyring.hashForeignApiKey(token) },
    ]);
  } finally {
    server.close();
  }
});

itAtFullSize(
  'import litellm imports 400 keys, 30 teams and 200 users within 60 seconds',
  { timeout: 300_000 },
  async () => {
    await source.query(`
    INSERT INTO "LiteLLM_TeamTable" (team_id, team_alias, admins, members, models, max_budget, budget_duration, spend, members_with_roles, metadata, blocked, created_at, updated_at, model_spend, model_max_budget, team_member_permissions, allow_team_guardrail_config)
      SELECT 'team-' || n, 'Team ' || n, '{}', '{}', '{}', 100, '1mo', n, '[]', '{}', false, now(), now(), '{}', '{}', '{}', false FROM generate_series(1, 30) n;
    INSERT INTO "LiteLLM_UserTable" (user_id, user_email, user_role, teams, models, max_budget, spend, metadata, model_spend, model_max_budget)
      SELECT 'user-' || n, 'user-' || n || '@scale.test', 'internal_user', '{}', '{}', 20, 1, '{}', '{}', '{}' FROM generate_series(1, 200) n;
    INSERT INTO "LiteLLM_VerificationToken" (token, key_name, key_alias, user_id, team_id, models, max_budget, budget_duration, spend, aliases, config, permissions, metadata, model_spend, model_max_budget, soft_budget_cooldown, budget_fallbacks, total_spend)
      SELECT encode(sha256(('sk-scale-' || n)::bytea), 'hex'), 'sk-...' || lpad(n::text, 4, '0'), 'scale ' || n, 'user-' || (1 + n % 200),
        CASE WHEN n % 3 > 0 THEN 'team-' || (1 + n % 30) END, '{}', 10, '1d', 0.5, '{}', '{}', '{}', '{}', '{}', '{}', false, '{}', 0 FROM generate_series(1, 400) n`);
    const startMs = performance.now();
    const { code, report } = await run();
    expect([code, performance.now() - startMs < 60_000]).toEqual([0, true]);
    expect(report.kinds).toContainEqual(expect.objectContaining({ kind: 'API keys', created: 406 }));
    expect((await run()).report.changes).toBe(0);
    expect(
      await select(`SELECT count(*)::int AS total FROM budgets b JOIN allowances a ON a.kind = 'usd_budget' AND a.subject_id = b.id
      LEFT JOIN api_keys k ON k.id = b.api_key_id LEFT JOIN teams t ON t.id = b.team_id LEFT JOIN users u ON u.id = b.user_id
      WHERE (k.name LIKE 'scale %' AND a.settled = 500000000) OR (u.email LIKE '%@scale.test' AND a.settled = 1000000000)
        OR (t.name LIKE 'Team %' AND a.settled = substr(t.name, 6)::bigint * 1000000000)`),
    ).toEqual([{ total: 630 }]);
    const worker = await startWorker({ connectionString: database.connectionString });
    try {
      for (let n = 1; n <= 400; n += 8) {
        const client = new OpenAI({ apiKey: `sk-scale-${n}`, baseURL: `${worker.origin}/v1` });
        expect((await client.models.list()).data.length).toBeGreaterThan(0);
      }
    } finally {
      await worker.close();
    }
  },
);
