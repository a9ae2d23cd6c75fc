import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Principal } from '#domain/principal.ts';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import { addApiAccessTask } from '#test/load/api-access-task.ts';
import {
  answerWith,
  type Script,
  type ScriptedProvider,
  startScriptedProvider,
} from '#test/providers/scripted-provider.ts';
import { readError } from '#test/requests/answers.ts';

type Person = Principal & { apiKey: string };

let provider: ScriptedProvider;
let gateway: TestGateway;
let instanceId: number;
let person: Person;
let count = 0;

const inputTokens = 8;
const answerTokens = 42;

/** Responds with the requested length up to the cap, like real providers. */
const answerWithin: Script = (response, call) => {
  // safe because the gateway sends what these tests expect
  const { max_tokens: cap = answerTokens } = JSON.parse(call.body.toString()) as { max_tokens?: number };
  const usage = { prompt_tokens: inputTokens, completion_tokens: Math.min(cap, answerTokens) };
  const message = { role: 'assistant', content: 'Hello' };
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  const completion = { id: 'c', object: 'chat.completion', created: 1, model: 'm', choices, usage };
  answerWith(200, JSON.stringify(completion))(response, call);
};

beforeAll(async () => {
  provider = await startScriptedProvider(answerWithin);
  gateway = await startGateway({
    env: { SLUICE_CONCURRENCY: '300' },
    async seed(seed) {
      instanceId = await seed.addInstance({ name: 'lab', models: ['m'], endpoint: `${provider.origin}/v1` });
    },
  });
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});
beforeEach(async () => {
  provider.calls.length = 0;
  person = await addUser();
});

async function addUser(): Promise<Person> {
  const added = await gateway.seed.addPerson({ name: `person-${count++}`, role: 'user', hasNoTask: true });
  await gateway.pool.query(
    'INSERT INTO user_provider_access (tenant_id, user_id, llm_provider_id, allowed_models) VALUES ($1, $2, $3, $4)',
    [added.tenantId, added.userId, instanceId, ['m']],
  );
  await expect.poll(async () => (await ask({ model: 'm' }, { by: added })).status).toBe(403);
  return added;
}

interface Sending {
  readonly by?: Person;
  readonly headers?: Record<string, string>;
}

const ask = (body: object = {}, { by = person, headers }: Sending = {}) =>
  gateway.complete({ model: 'm', ...body }, { apiKey: by.apiKey, ...(headers && { headers }) });

interface NewTask {
  readonly title?: string;
  readonly tokenLimit?: number | null;
  readonly perRequest?: number | null;
  readonly tenantId?: number;
}

async function addTask({ title = 'A task', tokenLimit = null, perRequest = null, ...more }: NewTask = {}) {
  const { rows } = await gateway.pool.query<{ id: number }>(
    `INSERT INTO tasks (tenant_id, title, description, category, difficulty_level, estimated_hours, token_limit, max_tokens_per_request)
     VALUES ($1, $2, $2, 'coding', 'beginner', 1, $3, $4) RETURNING id`,
    [more.tenantId ?? person.tenantId, title, tokenLimit, perRequest],
  );
  return rows[0]!.id;
}

async function assign(taskId: number, { tenantId, userId }: Principal = person): Promise<number> {
  const { rows } = await gateway.pool.query<{ id: number }>(
    'INSERT INTO task_assignments (tenant_id, task_id, user_id) VALUES ($1, $2, $3) RETURNING id',
    [tenantId, taskId, userId],
  );
  return rows[0]!.id;
}

const endAssignment = (id: number) =>
  gateway.pool.query("UPDATE task_assignments SET status = 'completed', ended_at = now() WHERE id = $1", [
    id,
  ]);

async function giveTask(fields: NewTask = {}) {
  const taskId = await addTask(fields);
  const assignmentId = await assign(taskId);
  await untilKnown(taskId);
  return { taskId, assignmentId };
}

/** Waits until the gateway has the task, by requesting an unknown model, which uses no tokens of the task. */
const untilKnown = (taskId: number) =>
  expect
    .poll(async () => await codeOf(await ask({ model: 'none', task_id: taskId })))
    .toBe('model_not_found');

const codeOf = async (answer: Response) => (await readError(answer)).code;

async function readTaskOf(answer: Response): Promise<number | null> {
  expect(answer.status).toBe(200);
  return (await gateway.waitForRow(answer.headers.get('x-request-id')!)).task_id;
}

describe('task of a request', () => {
  it.each<[string, (id: number) => object, (id: number) => Record<string, string>]>([
    ['of the field task_id', (id) => ({ task_id: id }), () => ({})],
    ['of the field task_id as a text', (id) => ({ task_id: String(id) }), () => ({})],
    ['of the metadata', (id) => ({ metadata: { task_id: id } }), () => ({})],
    ['of the header', () => ({}), (id) => ({ 'x-task-id': String(id) })],
    ['of the body rather than the header', (id) => ({ task_id: id }), () => ({ 'x-task-id': '999999' })],
  ])(
    'a request is assigned to the task %s, and the provider does not see it',
    async (_case, body, headers) => {
      const { taskId } = await giveTask();
      await giveTask();
      const answer = await ask(body(taskId), { headers: headers(taskId) });
      expect(await readTaskOf(answer)).toBe(taskId);
      const call = provider.calls.at(-1)!;
      expect(JSON.stringify([call.headers, call.body.toString()])).not.toMatch(/task/i);
    },
  );

  it("a request is assigned to the user's only task, or to their API access task", async () => {
    const { taskId } = await giveTask();
    expect(await readTaskOf(await ask())).toBe(taskId);
    const apiAccess = await addApiAccessTask(gateway.pool, person);
    await untilKnown(apiAccess);
    expect(await readTaskOf(await ask())).toBe(apiAccess);
    expect(await readTaskOf(await ask({ task_id: taskId }))).toBe(taskId);
  });

  it('a minimal response names the task of the request and the tokens left', async () => {
    const { taskId } = await giveTask({ tokenLimit: 10_000 });
    expect(await (await ask({ format: 'minimal' })).json()).toMatchObject({
      task_id: taskId,
      remaining_tokens: 9_950,
    });
  });
});

const ways: [string, string, object][] = [
  [
    'chat completions',
    '/api/v1/chat/completions',
    { model: 'm', messages: [{ role: 'user', content: 'Hi' }] },
  ],
  ['responses', '/api/v1/responses', { model: 'm', input: 'Hi' }],
  ['embeddings', '/api/v1/embeddings', { model: 'm', input: 'Hi' }],
  [
    'messages',
    '/api/v1/messages',
    { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] },
  ],
  ['generateContent', '/api/v1beta/models/m:generateContent', { contents: [{ parts: [{ text: 'Hi' }] }] }],
];

const refusal = z.object({
  error: z.looseObject({
    message: z.string(),
    tasks: z.array(z.object({ id: z.number(), title: z.string() })).optional(),
    details: z.array(z.record(z.string(), z.unknown())).optional(),
  }),
});

function readResource(detail: Record<string, unknown>): object[] {
  const { resourceType, resourceName, description } = detail;
  return resourceType === 'task' ? [{ id: Number(resourceName), title: description }] : [];
}

describe('user without exactly one task', () => {
  it.each(ways)(
    'a user with several tasks gets the list in the protocol of %s',
    async (_name, path, body) => {
      const first = await giveTask({ title: 'The parser' });
      const second = await giveTask({ title: 'The manual' });
      const answer = await fetch(gateway.origin + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${person.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect(answer.status).toBe(403);
      const { error } = refusal.parse(await answer.json());
      expect(error.message).toContain(`${first.taskId} (The parser) and ${second.taskId} (The manual)`);
      expect(error.tasks ?? error.details?.flatMap(readResource)).toEqual([
        { id: first.taskId, title: 'The parser' },
        { id: second.taskId, title: 'The manual' },
      ]);
      expect(provider.calls).toHaveLength(0);
      const row = await waitForRefusal('task_required');
      expect(row).toMatchObject({ status: 'refused', http_status: 403, task_id: null });
    },
  );

  it('a request of a user without a task is rejected with task_required', async () => {
    const error = await readError(await ask());
    expect(error).toMatchObject({
      code: 'task_required',
      type: 'permission_error',
      param: 'task_id',
      tasks: [],
    });
    expect(error.message).toBe(
      'Every request needs a task. You have no active task. Ask your administrator to assign one.',
    );
  });
});

describe('invalid tasks', () => {
  it("a task that is not the caller's own and active is rejected with the same message in all cases", async () => {
    const own = await giveTask({ title: 'Mine' });
    const inactive = await giveTask();
    await gateway.pool.query('UPDATE tasks SET is_active = false WHERE id = $1', [inactive.taskId]);
    const deleted = await giveTask();
    await gateway.pool.query('UPDATE tasks SET deleted_at = now() WHERE id = $1', [deleted.taskId]);
    const ended = await giveTask();
    await endAssignment(ended.assignmentId);
    const others = await addTask();
    await assign(others, await addUser());
    const foreign = await addTask({ tenantId: await gateway.seed.addTenant(`Tenant ${count++}`) });
    const answers = [];
    for (const id of [inactive.taskId, deleted.taskId, ended.taskId, others, foreign, 2_147_483_647]) {
      await expect.poll(async () => codeOf(await ask({ task_id: id }))).toBe('task_not_found');
      const answer = await ask({ task_id: id });
      answers.push({ status: answer.status, text: (await answer.text()).replaceAll(String(id), '{id}') });
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 404, text: expect.stringContaining('(Mine)') });
    expect(answers[0]?.text).toContain(String(own.taskId));
  });

  it('an invalid task is rejected for administrators too, who otherwise need none', async () => {
    const admin = await gateway.seed.addPerson({ name: `admin-${count++}` });
    await expect.poll(async () => (await ask({}, { by: admin })).status).toBe(200);
    const { taskId } = await giveTask();
    expect(await codeOf(await ask({ task_id: taskId }, { by: admin }))).toBe('task_not_found');
  });

  it('a task that cannot be an id is rejected as an invalid value', async () => {
    for (const value of ['0', '-1', 'x', '1.5', '2147483648', '99999999999']) {
      const answer = await ask({}, { headers: { 'x-task-id': value } });
      expect(answer.status).toBe(400);
      expect(await readError(answer)).toMatchObject({ code: 'invalid_request', param: 'X-Task-Id' });
    }
  });
});

describe('task limits', () => {
  it('the limits of a task are not exceeded by 200 concurrent requests', async () => {
    const { assignmentId } = await giveTask({ tokenLimit: 1_000 });
    const answers = await Promise.all(Array.from({ length: 200 }, () => ask({ max_tokens: 70 })));
    const passed = answers.filter(({ status }) => status === 200).length;
    const refused = answers.filter(({ status }) => status === 429);
    expect(passed + refused.length).toBe(200);
    expect(new Set(await Promise.all(refused.map(codeOf)))).toEqual(new Set(['task_tokens_exceeded']));
    expect(passed).toBeGreaterThanOrEqual(5);
    await expect.poll(async () => (await readUsage(assignmentId)).requests).toBe(passed);
    const { tokens } = await readUsage(assignmentId);
    expect(tokens).toBeGreaterThanOrEqual(passed * (inputTokens + 1));
    expect(tokens).toBeLessThanOrEqual(1_000);
  });

  it('the limits of a task apply to each user separately', async () => {
    const { taskId, assignmentId } = await giveTask({ tokenLimit: 1_000 });
    const [first, second] = [person, await addUser()];
    const theirs = await assign(taskId, second);
    await expect.poll(async () => (await ask({}, { by: second })).status).toBe(200);
    expect((await ask({}, { by: first })).status).toBe(200);
    await expect.poll(() => readUsage(assignmentId)).toEqual({ tokens: 50, requests: 1 });
    await expect.poll(() => readUsage(theirs)).toEqual({ tokens: 50, requests: 1 });
  });

  it('the limits of a task cap each response, with or without a requested cap, and are reported', async () => {
    await giveTask({ tokenLimit: 100_000, perRequest: 100 });
    const answer = await ask({ max_tokens: 500 });
    expect(answer.headers.get('x-sluice-warning')).toBe(
      "the response is limited to 100 tokens instead of 500 by your task's max_tokens_per_request",
    );
    await ask();
    await ask({ max_tokens: 80 });
    const sent = provider.calls.map(({ body }) => JSON.parse(body.toString()).max_tokens);
    expect(sent).toEqual([100, 100, 80]);
  });

  it('the limits of a task are reported only if they determine the cap', async () => {
    await giveTask({ tokenLimit: 400, perRequest: 10_000 });
    const answer = await ask({ max_tokens: 5_000 });
    expect(answer.headers.get('x-sluice-warning')).toMatch(
      /^the response is limited to \d+ tokens instead of 5000 by your remaining limits$/,
    );
  });

  it('raised and lowered limits of a task apply once received', async () => {
    const { taskId } = await giveTask({ tokenLimit: 10 });
    expect(await codeOf(await ask())).toBe('task_tokens_exceeded');
    const setLimit = (limit: number | null) =>
      gateway.pool.query('UPDATE tasks SET token_limit = $1 WHERE id = $2', [limit, taskId]);
    await setLimit(10_000);
    await expect.poll(async () => (await ask()).status).toBe(200);
    await setLimit(10);
    await expect.poll(async () => (await ask()).status).toBe(429);
    await setLimit(null);
    await expect.poll(async () => (await ask()).status).toBe(200);
  });
});

async function waitForRefusal(code: string): Promise<object> {
  const find = async () => (await gateway.readRows()).find(isWanted);
  const isWanted = (row: { user_id: number; error_code: string | null }) =>
    row.user_id === person.userId && row.error_code === code;
  await expect.poll(find).toBeDefined();
  return (await find())!;
}

async function readUsage(assignmentId: number): Promise<{ tokens: number; requests: number }> {
  const { rows } = await gateway.pool.query<{ tokens: number; requests: number }>(
    "SELECT settled::int AS tokens, requests::int FROM allowances WHERE kind = 'task_tokens' AND subject_id = $1",
    [assignmentId],
  );
  return rows[0] ?? { tokens: 0, requests: 0 };
}
