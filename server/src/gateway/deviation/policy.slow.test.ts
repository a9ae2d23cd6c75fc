import {
  createClient,
  defaultDeviationPolicy,
  quotaStatusRoutes,
  requestsRoutes,
  settingsRoutes,
  usersRoutes,
} from '@sluice/contract';
import { type Sandbox, startSandbox } from '@sluice/sandbox';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createKeyring } from '#platform/keyring.ts';
import { createPasswordHasher } from '#platform/password.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createSeeder } from '#test/database/seed.ts';
import { createSluice, type SluiceProcess } from '#test/processes/sluice-process.ts';
import { signIn } from '#test/providers/outside-provider.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const secret = 'a master secret for the tests of the policy';
const password = 'password of the person';
const patience = { timeout: 20_000 };
const onTask = 'Fix the failing import in parser.ts and write a TypeScript function that parses a CSV line';
const offTask = 'Tell me a bedtime story about a dragon who is afraid of the dark and lives alone on a hill';

let database: TestDatabase;
let sandbox: Sandbox;
let nodes: [SluiceProcess, SluiceProcess];
let person: { userId: number; email: string; apiKey: string };

beforeAll(async () => {
  database = await createTestDatabase();
  sandbox = await startSandbox();
  const start = async () => {
    const node = await createSluice({
      DATABASE_URL: database.connectionString,
      SLUICE_SECRET: secret,
      SLUICE_WORKERS: '1',
      SLUICE_SANDBOX: '0',
      SLUICE_ALLOW_PRIVATE_ENDPOINTS: '1',
      LOG_LEVEL: 'silent',
    });
    await node.start();
    return node;
  };
  // Started sequentially, since the first node initializes the installation.
  nodes = [await start(), await start()];
  const seed = await createSeeder(database.pool, createKeyring(secret), sandbox.origin);
  const instanceId = await seed.addInstance({ name: 'lab', models: ['sandbox-normal:tokens=5'] });
  person = await seed.addPerson({ name: 'mara', role: 'user' });
  await database.pool.query(
    `WITH access AS (
       INSERT INTO user_provider_access (tenant_id, user_id, llm_provider_id, allowed_models)
       VALUES ($1, $2, $3, '{sandbox-normal:tokens=5}')
     ), task AS (
       INSERT INTO tasks (tenant_id, title, description, category, difficulty_level, estimated_hours)
       VALUES ($1, 'CSV import', 'Write the TypeScript parser of the CSV import and its tests', 'coding', 'beginner', 1)
       RETURNING id
     ), assignment AS (
       INSERT INTO task_assignments (tenant_id, task_id, user_id) SELECT $1, id, $2 FROM task
     ), api_access AS (
       UPDATE task_assignments SET status = 'cancelled', ended_at = now() WHERE user_id = $2
     )
     UPDATE users SET password_hash = $4 WHERE id = $2`,
    [seed.tenantId, person.userId, instanceId, await createPasswordHasher().hash(password)],
  );
  await createClient(settingsRoutes, await signIn(nodes[0])).updateSettings({
    body: { deviation_policy: { ...defaultDeviationPolicy, mode: 'block' } },
  });
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.remove()));
  await sandbox.close();
  await database.close();
});

async function ask({ origin }: SluiceProcess, content: string) {
  const answer = await fetch(`${origin}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${person.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sandbox-normal:tokens=5', messages: [{ role: 'user', content }] }),
  });
  const body = await answer.text();
  const score = Number(answer.headers.get('x-sluice-score'));
  return {
    id: answer.headers.get('x-request-id') ?? '',
    status: answer.status,
    score,
    body,
    headers: answer.headers,
  };
}

async function listModels({ origin }: SluiceProcess) {
  const headers = { authorization: `Bearer ${person.apiKey}` };
  return (await fetch(`${origin}/api/v1/models`, { headers })).text();
}

const signInAsPerson = ({ origin }: SluiceProcess) =>
  signIn({ origin, admin: { email: person.email, password } });

it('a deviating user is warned, rejected and blocked on both nodes until an administrator unblocks the user', async () => {
  const [here, there] = nodes;
  for (const node of nodes) {
    await expect.poll(async () => (await ask(node, onTask)).status, patience).toBe(200);
  }
  // A node does not see unshipped requests of other nodes, so it could reject a request because of a score that the
  // database never reaches.
  const countShipped = async () => {
    const answered = `SELECT count(*)::integer AS rows FROM request_logs WHERE user_id = $1 AND status = 'success'`;
    return (await database.pool.query(answered, [person.userId])).rows[0].rows;
  };
  await expect.poll(countShipped, patience).toBe(nodes.length);
  const working = await ask(here, onTask);
  expect(working).toMatchObject({ status: 200, score: 0 });
  expect(working.headers.get('x-sluice-intent')).toBe('coding');

  let last = await ask(here, offTask);
  expect(last).toMatchObject({ status: 200, score: 0.1 });
  while (last.score <= 0.75) {
    last = await ask(here, offTask);
    expect(last.status).toBe(200);
  }
  expect(last.headers.get('x-sluice-warning')).toContain('Your deviation score is elevated.');
  const before = createClient(quotaStatusRoutes, await signInAsPerson(there));
  await expect
    .poll(async () => (await before.getQuotaStatus()).warnings, patience)
    .toEqual({
      blocked_status: null,
      high_deviation_score: 'Your deviation score is elevated. Please review your usage patterns.',
    });
  const own = createClient(requestsRoutes, {
    baseUrl: there.origin,
    headers: () => ({ authorization: `Bearer ${person.apiKey}` }),
  });
  // The warning may belong to the previous request, whose row precedes the row of this request.
  const readOwn = () => own.getRequest({ params: { id: last.id } }).catch(() => null);
  await expect.poll(readOwn, patience).toMatchObject({ intent: 'off_topic', status: 'success' });
  const judged = await own.getRequest({ params: { id: last.id } });
  const sum = judged.deviation?.receipts.reduce((total, { amount }) => total + amount, 0);
  expect(sum).toBeCloseTo(judged.deviation?.change ?? Number.NaN, 9);

  while (last.status === 200) last = await ask(here, offTask);
  expect(last.status).toBe(403);
  expect(last.body).toContain('policy_blocked');
  await expect.poll(() => listModels(there), patience).toContain('account_blocked');
  const { rows } = await database.pool.query(
    `SELECT request_id, extract(epoch FROM e.created_at - l.received_at)::float8 AS seconds
     FROM score_events e JOIN request_logs l ON l.id = e.request_id WHERE kind = 'block'`,
  );
  expect(rows).toEqual([{ request_id: last.id, seconds: expect.any(Number) }]);
  const after = createClient(quotaStatusRoutes, await signInAsPerson(there));
  expect(await after.getQuotaStatus()).toMatchObject({
    warnings: { blocked_status: 'Your account has been temporarily blocked due to policy violations.' },
    blocked_reason: expect.stringContaining('has reached the threshold of 0.90'),
  });

  const { unblockUser } = createClient(usersRoutes, await signIn(there));
  expect(await unblockUser({ params: { id: person.userId } })).toMatchObject({
    is_blocked: false,
    deviation_score: expect.closeTo(0.45, 4),
  });
  for (const node of nodes) {
    await expect.poll(async () => (await ask(node, onTask)).status, patience).toBe(200);
  }
  const back = await ask(here, onTask);
  expect(back.score).toBeLessThan(0.45);
});
