import { budgetDefaultsRoutes, budgetsRoutes, type Client, createClient } from '@sluice/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Principal } from '#domain/principal.ts';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import { signIn } from '#test/providers/outside-provider.ts';
import {
  answerCompletion,
  answerWith,
  type ScriptedProvider,
  startScriptedProvider,
} from '#test/providers/scripted-provider.ts';

let provider: ScriptedProvider;
let gateway: TestGateway;
let session: Awaited<ReturnType<typeof signIn>>;
let budgets: Client<typeof budgetsRoutes>;
let person: Principal & { apiKey: string };
let ids: { readonly team: number; readonly key: number; readonly task: number; readonly instance: number };
let count = 0;
const held: (() => void)[] = [];
let isHolding = true;

beforeAll(async () => {
  provider = await startScriptedProvider((response, call) => {
    const answer = () => answerCompletion()(response, call);
    if (isHolding) held.push(answer);
    else answer();
  });
  provider.scripts.set('cheap', answerCompletion());
  const endpoint = `${provider.origin}/v1`;
  gateway = await startGateway({
    async seed(seed) {
      await seed.addInstance({ name: 'own', models: ['m', 'other', 'cheap'], endpoint });
    },
  });
  session = await signIn(gateway);
  budgets = createClient(budgetsRoutes, session);
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});
beforeEach(async () => {
  isHolding = true;
  person = await gateway.seed.addPerson({ name: `person-${count++}`, role: 'user' });
  const { rows } = await gateway.pool.query<typeof ids>(
    `WITH team AS (INSERT INTO teams (tenant_id, name) VALUES ($1, $3) RETURNING id),
       joined AS (INSERT INTO team_members (tenant_id, team_id, user_id) SELECT $1, id, $2 FROM team),
       granted AS (INSERT INTO team_provider_access (tenant_id, team_id, llm_provider_id, allowed_models)
         SELECT $1, team.id, p.id, p.enabled_models FROM team, llm_providers p WHERE p.provider_instance_name = 'own')
     SELECT team.id AS team, (SELECT min(id) FROM api_keys WHERE user_id = $2) AS key,
       (SELECT task_id FROM task_assignments WHERE user_id = $2) AS task,
       (SELECT id FROM llm_providers WHERE provider_instance_name = 'own') AS instance FROM team`,
    [person.tenantId, person.userId, `Team ${count}`],
  );
  ids = rows[0]!;
  await expect.poll(async () => (await ask({ model: 'nobody' })).status).toBe(404);
});
afterEach(async () => {
  release();
  isHolding = false;
  const defaults = createClient(budgetDefaultsRoutes, session);
  for (const { id } of await defaults.listBudgetDefaults())
    await defaults.deleteBudgetDefault({ params: { id } });
  for (const { id } of await budgets.listBudgets({ query: {} }))
    await budgets.deleteBudget({ params: { id } });
});

function release(): void {
  for (const answer of held.splice(0)) answer();
}

const ask = (body: object = {}) =>
  gateway.complete({ model: 'm', max_tokens: 30, ...body }, { apiKey: person.apiKey });

type NewBudget = Parameters<typeof budgets.createBudget>[0]['body'];

const addLimit = (body: Partial<NewBudget>) =>
  budgets.createBudget({
    body: { subject_type: 'tenant', measure: 'parallel_requests', window: 'at_once', limit: 2, ...body },
  });

const user = () => ({ subject_type: 'user', subject_id: person.userId }) as const;

const subjects: readonly [name: string, add: () => Promise<unknown>, message: string][] = [
  ['the tenant', () => addLimit({}), 'limit of your organization'],
  ['a team', () => addLimit({ subject_type: 'team', subject_id: ids.team }), 'limit of team "Team '],
  ['a user', () => addLimit(user()), 'limit of user "person-'],
  ['a user in a team', () => addLimit({ ...user(), team_id: ids.team }), ' in team "Team '],
  ['an API key', () => addLimit({ subject_type: 'api_key', subject_id: ids.key }), 'limit of API key "'],
  ['a task', () => addLimit({ subject_type: 'task', subject_id: ids.task }), 'limit of task "'],
  [
    'a provider',
    () => addLimit({ subject_type: 'provider', subject_id: ids.instance }),
    'limit of provider "own"',
  ],
  ['a user and models', () => addLimit({ ...user(), model_pattern: '{m,x*}' }), ', models {m,x*}'],
  ['models', () => addLimit({ model_pattern: 'm' }), 'limit of your organization, models m'],
  [
    'each member of a team',
    () =>
      createClient(budgetDefaultsRoutes, session).createBudgetDefault({
        body: { team_id: ids.team, measure: 'parallel_requests', window: 'at_once', limit: 2 },
      }),
    'limit of user "person-',
  ],
];

describe.each(subjects)('a limit of 2 parallel requests of %s', (_, add, message) => {
  it('a limit of 2 parallel requests rejects a third request with the reason, and admits it once another has ended', async () => {
    await add();
    const first = [ask(), ask()];
    await expect.poll(() => held.length).toBe(2);
    const refused = await ask();
    expect(refused.status).toBe(429);
    expect([refused.headers.get('retry-after'), held.length]).toEqual(['1', 2]);
    const { error } = (await refused.json()) as { error: { code: string; message: string } };
    expect(error.code).toBe('too_many_at_once');
    expect(error.message).toContain(message);
    expect(error.message).toMatch(
      /is 2 parallel requests, all of which are in flight\. Retry when one of them has ended\.$/,
    );
    expect(await gateway.waitForRow(refused.headers.get('x-request-id')!)).toMatchObject({
      status: 'refused',
      error_code: 'too_many_at_once',
    });
    held.shift()!();
    await Promise.race(first);
    const next = ask();
    await expect.poll(() => held.length).toBe(2);
    release();
    const answers = await Promise.all([...first, next]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  });
});

it('a limit of 0 parallel requests admits nothing, and its error refers to the administrator', async () => {
  await addLimit({ ...user(), limit: 0 });
  const refused = await ask();
  const { error } = (await refused.json()) as { error: { code: string; message: string } };
  expect([refused.status, error.code, refused.headers.get('retry-after')]).toEqual([
    429,
    'too_many_at_once',
    null,
  ]);
  expect(error.message).toMatch(/allows no requests\. Ask your administrator to raise it\.$/);
});

it('a limit of parallel requests can send excess requests to another model, and can be raised', async () => {
  const { id } = await addLimit({ ...user(), limit: 1, action: 'downgrade', downgrade_to: 'cheap' });
  const first = ask();
  await expect.poll(() => held.length).toBe(1);
  expect((await ask()).headers.get('x-sluice-budget-route')).toBe(`cheap; budget=${id}`);
  const until = new Date(Date.now() + 86_400_000).toISOString();
  await budgets.raiseBudget({ params: { id }, body: { limit: 2, until, reason: 'a test' } });
  const second = ask();
  await expect.poll(() => held.length).toBe(2);
  expect(await budgets.getBudget({ params: { id } })).toMatchObject({ spent: 0, held: 2, used_percent: 100 });
  release();
  expect((await Promise.all([first, second])).map(({ status }) => status)).toEqual([200, 200]);
});

it('a request releases its slot when the provider fails or the caller disconnects', async () => {
  await addLimit({ ...user(), limit: 1 });
  provider.scripts.set('other', answerWith(400, '{}'));
  for (let sent = 0; sent < 3; sent++) expect((await ask({ model: 'other' })).status).toBe(400);
  const leaving = new AbortController();
  const left = gateway.complete(
    { model: 'm', max_tokens: 30 },
    { apiKey: person.apiKey, signal: leaving.signal },
  );
  await expect.poll(() => held.length).toBe(1);
  leaving.abort();
  await expect(left).rejects.toThrow('This operation was aborted');
  release();
  await expect.poll(async () => (await ask({ model: 'cheap' })).status).toBe(200);
});

it.each([
  [{ window: 'month' }, 'The window of parallel requests is "at_once"'],
  [{ measure: 'requests' }, 'only for the measure "parallel_requests"'],
  [{ action: 'warn' }, 'cannot only notify'],
  [{ starts_at: '2026-01-01T00:00:00Z' }, 'cannot have a start time'],
  [{ limit: 1.5 }, 'whole number'],
] as const)('createBudget rejects a limit of parallel requests with %j', async (body, message) => {
  await expect(addLimit({ ...user(), ...body })).rejects.toMatchObject({
    status: 422,
    message: expect.stringContaining(message),
  });
});

const dialects: readonly [path: string, body: object, error: object][] = [
  [
    'messages',
    { max_tokens: 50, messages: [{ role: 'user', content: 'Hi' }] },
    { type: 'error', error: { type: 'rate_limit_error' } },
  ],
  ['responses', { input: 'Hi' }, { error: { code: 'too_many_at_once' } }],
  ['embeddings', { input: 'Hi' }, { error: { code: 'too_many_at_once' } }],
  [
    'messages/count_tokens',
    { messages: [{ role: 'user', content: 'Hi' }] },
    { error: { type: 'rate_limit_error' } },
  ],
];

it.each(dialects)('/api/v1/%s reports a reached limit in its own protocol', async (path, body, error) => {
  await addLimit({ ...user(), limit: 1 });
  const first = ask();
  await expect.poll(() => held.length).toBe(1);
  const refused = await fetch(`${gateway.origin}/api/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${person.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', ...body }),
  });
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject(error);
  release();
  expect((await first).status).toBe(200);
});
