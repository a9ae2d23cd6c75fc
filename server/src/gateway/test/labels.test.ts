import { createClient, labelsRoutes, logsOf, logsRoutes, settingsRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Principal } from '#domain/principal.ts';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import { signIn } from '#test/providers/outside-provider.ts';
import { dialectNames, dialects } from '#test/requests/dialects.ts';
import { sendRaw } from '#test/requests/raw-request.ts';

let gateway: TestGateway;
let calls: Awaited<ReturnType<typeof openClients>>;
let person: Principal & { apiKey: string };
let teamId: number;
let taskId: number;
let apiKey: string;
let count = 0;

async function openClients() {
  const session = await signIn(gateway);
  return {
    labels: createClient(labelsRoutes, session),
    settings: createClient(settingsRoutes, session),
    logs: createClient(logsRoutes, session),
  };
}

beforeAll(async () => {
  gateway = await startGateway();
  calls = await openClients();
});
afterAll(() => gateway.stop());

const insert = async (text: string, values: unknown[]) =>
  (await gateway.pool.query<{ id: number }>(text, values)).rows[0]!.id;

beforeEach(async () => {
  count += 1;
  person = await gateway.seed.addPerson({ name: `labeled-${count}` });
  const { tenantId, userId } = person;
  teamId = await insert('INSERT INTO teams (tenant_id, name) VALUES ($1, $2) RETURNING id', [
    tenantId,
    `Team ${count}`,
  ]);
  await gateway.pool.query('INSERT INTO team_members (tenant_id, team_id, user_id) VALUES ($1, $2, $3)', [
    tenantId,
    teamId,
    userId,
  ]);
  taskId = await insert(
    `INSERT INTO tasks (tenant_id, title, description, category, difficulty_level, estimated_hours, token_limit)
     VALUES ($1, $2, 'Parser', 'coding', 'beginner', 1, 100000) RETURNING id`,
    [tenantId, `Task ${count}`],
  );
  await gateway.pool.query('INSERT INTO task_assignments (tenant_id, task_id, user_id) VALUES ($1, $2, $3)', [
    tenantId,
    taskId,
    userId,
  ]);
  apiKey = await gateway.seed.addApiKey(person, undefined, { kind: 'named' });
  // This change is last, because the console then waits until the worker has read all earlier changes.
  await calls.settings.updateSettings({ body: { accepts_request_labels: true } });
});

const ask = (dialect: (typeof dialectNames)[number], headers: Record<string, string> = {}) => {
  const { path, body } = dialects[dialect]({ model: 'sandbox-normal', stream: false, content: 'Hello' });
  return sendRaw(gateway.port, {
    path,
    headers: { authorization: `Bearer ${apiKey}`, 'x-task-id': String(taskId), ...headers },
    body: JSON.stringify(body),
  });
};

async function readLabels(headers: Record<string, string> = {}) {
  const requestId = `labels-${crypto.randomUUID()}`;
  const { status, body } = await ask('openai-chat', { 'x-request-id': requestId, ...headers });
  expect(status, body).toBe(200);
  const { id } = await gateway.waitForRowOf(requestId);
  return (await calls.logs.getLog({ params: { id } })).labels;
}

describe('labels of requests', () => {
  it('a row has the labels of team, user, task, key and request, and the narrowest level takes precedence', async () => {
    const body = (labels: Record<string, string>) => ({ labels });
    await calls.labels.setTeamLabels({ params: { id: teamId }, body: body({ team: 'team' }) });
    await calls.labels.setUserLabels({
      params: { id: person.userId },
      body: body({ team: 'team-of-user', user: 'user' }),
    });
    expect(await readLabels()).toEqual({ team: 'team-of-user', user: 'user' });
    await calls.labels.setTaskLabels({
      params: { id: taskId },
      body: body({ task: 'task', user: 'task', team: 'task' }),
    });
    expect(await readLabels()).toEqual({ task: 'task', user: 'task', team: 'task' });
    await gateway.pool.query("UPDATE api_keys SET labels = $2 WHERE user_id = $1 AND kind = 'named'", [
      person.userId,
      JSON.stringify({ key: 'key', user: 'key' }),
    ]);
    await expect.poll(() => readLabels()).toEqual({ key: 'key', task: 'task', user: 'key', team: 'task' });
    expect(await readLabels({ 'x-sluice-labels': 'request=request, key=request' })).toEqual({
      request: 'request',
      key: 'request',
      task: 'task',
      user: 'key',
      team: 'task',
    });
  });

  it('a later change of labels does not change rows, and rows are found by label', async () => {
    const label = `cost_center=${count}`;
    const change = (value: string) =>
      calls.labels.setTeamLabels({ params: { id: teamId }, body: { labels: { cost_center: value } } });
    await change(String(count));
    expect(await readLabels()).toEqual({ cost_center: String(count) });
    await change('other');
    expect(await readLabels()).toEqual({ cost_center: 'other' });
    const find = async (query: object) =>
      logsOf(await calls.logs.listLogs({ query })).map((row) => row.labels);
    expect(await find({ label })).toEqual([{ cost_center: String(count) }]);
    expect(await find({ query: `label:${label}` })).toEqual([{ cost_center: String(count) }]);
    expect(await find({ query: 'label:cost_center', user_id: person.userId })).toHaveLength(2);
    const file = await (await calls.logs.exportLogs({ query: { label } })).text();
    expect(file).toContain(label);
    const { label: facet } = await calls.logs.getLogFacets({ query: { user_id: person.userId } });
    expect(facet.map(({ value }) => value).toSorted()).toEqual([label, 'cost_center=other'].toSorted());
  });

  it("a row has no team labels if the user has several teams and no team's grant applies", async () => {
    await calls.labels.setTeamLabels({ params: { id: teamId }, body: { labels: { cost_center: '1' } } });
    const second = await insert('INSERT INTO teams (tenant_id, name) VALUES ($1, $2) RETURNING id', [
      person.tenantId,
      `Second ${count}`,
    ]);
    await gateway.pool.query('INSERT INTO team_members (tenant_id, team_id, user_id) VALUES ($1, $2, $3)', [
      person.tenantId,
      second,
      person.userId,
    ]);
    await expect.poll(() => readLabels()).toBeNull();
  });
});

describe.each(dialectNames)('the header x-sluice-labels in %s', (dialect) => {
  it('an invalid x-sluice-labels header is rejected with an error in the dialect that names the header', async () => {
    const { status, body } = await ask(dialect, { 'x-sluice-labels': 'Cost Center=1' });
    expect(status).toBe(400);
    expect(JSON.parse(body).error.message).toContain(
      "Invalid value for 'x-sluice-labels': The label 'Cost Center' is invalid.",
    );
  });

  it('the x-sluice-labels header is rejected while the tenant does not accept labels in requests', async () => {
    await calls.settings.updateSettings({ body: { accepts_request_labels: false } });
    const { status, body } = await ask(dialect, { 'x-sluice-labels': 'project=x' });
    expect(status).toBe(400);
    expect(JSON.parse(body).error.message).toContain('does not accept labels in requests');
    expect((await ask(dialect)).status).toBe(200);
  });
});
