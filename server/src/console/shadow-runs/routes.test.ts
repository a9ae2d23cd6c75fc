import { type ShadowRequest, type ShadowRun, shadowDifferences, shadowRunsRoutes } from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Principal } from '#domain/principal.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { addShadowRun, type ShadowRow } from '#test/database/shadow-run.ts';
import { createShadowRunsHandlers } from './routes.ts';

let database: TestDatabase;
let as: (principal: Principal) => ReturnType<ReturnType<typeof createTestConsole<typeof shadowRunsRoutes>>>;
let admin: Principal;
let member: Principal;
let stranger: Principal;
let runId: number;

const served = { other_outcome: 'served' } as const;

const listRows = (): ShadowRow[] => [
  { ...served, user_id: admin.userId, cost_nano_usd: 1_000_001, other_cost_nano_usd: 1_000_000 },
  {
    ...served,
    user_id: admin.userId,
    cost_nano_usd: 2_000_000,
    other_cost_nano_usd: 1_000_000,
    difference: 'other_cost',
  },
  {
    ...served,
    user_id: member.userId,
    model: 'b',
    other_model: 'a',
    cost_nano_usd: 500,
    other_cost_nano_usd: 7,
    difference: 'other_model',
  },
  // The cost of a request is only counted if both gateways report one.
  { ...served, user_id: member.userId, cost_nano_usd: 9_000_000 },
  { ...served, user_id: member.userId, other_cost_nano_usd: 9_000_000, requested_at: '2026-11-02T08:00:00Z' },
  {
    ...served,
    user_id: member.userId,
    error_code: 'model_blacklisted',
    message: '=cmd()',
    other_cost_nano_usd: 4,
    difference: 'refused_here',
    requested_at: '2026-11-02T10:00:00Z',
  },
  {
    ...served,
    error_code: 'invalid_api_key',
    message: 'Unknown key, "quoted"',
    difference: 'refused_here',
    model_requested: 'other',
  },
  { other_outcome: 'refused', user_id: admin.userId, cost_nano_usd: 3, difference: 'refused_there' },
  { other_outcome: 'refused', user_id: admin.userId, error_code: 'model_blacklisted' },
  {
    other_outcome: 'failed',
    user_id: admin.userId,
    cost_nano_usd: 3,
    other_cost_nano_usd: 3,
    difference: 'not_compared',
  },
  { user_id: 2_147_483_647, difference: 'not_compared', model_requested: '@sum' },
];

const sums = {
  requests: 11,
  none: 4,
  refused_here: 2,
  refused_there: 1,
  other_model: 1,
  other_cost: 1,
  not_compared: 2,
  cost_usd: 0.003_000_501,
  other_cost_usd: 0.002_000_007,
  first_request_at: '2026-11-02T08:00:00.000Z',
  last_request_at: '2026-11-02T10:00:00.000Z',
};

beforeAll(async () => {
  database = await createTestDatabase();
  const { pool } = database;
  const tenant = await addTenant(pool, 'One');
  admin = await addPerson(pool, tenant, 'admin', 'ada@one.test');
  member = await addPerson(pool, tenant, 'user', 'ben@one.test');
  stranger = await addPerson(pool, await addTenant(pool, 'Two'), 'admin', 'cy@two.test');
  const console = createTestConsole(pool, shadowRunsRoutes, createShadowRunsHandlers());
  as = (principal) => console({ principal });
  runId = await addShadowRun(
    pool,
    { tenantId: admin.tenantId, name: 'May', comparedWith: 'https://litellm.test' },
    listRows(),
  );
});
afterAll(() => database.close());

type Query = NonNullable<Parameters<ReturnType<typeof as>['listShadowRequests']>[0]['query']>;

async function list(query: Query = {}): Promise<ShadowRequest[]> {
  const answer = await as(admin).listShadowRequests({ params: { id: runId }, query });
  if (answer instanceof Blob) throw new TypeError('the requests are not JSON');
  return answer;
}

const positionsOf = async (query: Query) => (await list(query)).map(({ position }) => position);

async function readCsv(query: Query = {}): Promise<string> {
  const answer = await as(admin).listShadowRequests({
    params: { id: runId },
    query: { ...query, format: 'csv' },
  });
  if (!(answer instanceof Blob)) throw new TypeError('the answer is not a file');
  return (await answer.text()).replace('\u{feff}', '');
}

describe('shadow runs', () => {
  it('listShadowRuns returns the sums of runs that have ended and of those that have not, newest first', async () => {
    const running = await addShadowRun(
      database.pool,
      { tenantId: admin.tenantId, name: 'June', isRunning: true },
      listRows(),
    );
    const empty = await addShadowRun(database.pool, { tenantId: admin.tenantId, name: 'None' }, []);
    const runs: ShadowRun[] = await as(admin).listShadowRuns();
    expect(runs).toMatchObject([
      { id: empty, requests: 0, not_compared: 0, cost_usd: 0, first_request_at: null, last_request_at: null },
      { id: running, name: 'June', ended_at: null, compared_with: null, ...sums },
      { id: runId, name: 'May', source: 'file', compared_with: 'https://litellm.test', ...sums },
    ]);
    for (const id of [running, empty]) await as(admin).deleteShadowRun({ params: { id } });
  });

  it('getShadowRun returns the sums of the run, refusals by error code, and sums of models and users', async () => {
    const { run, refusals, models, users } = await as(admin).getShadowRun({ params: { id: runId } });
    expect(run).toMatchObject({ id: runId, ...sums });
    expect(refusals).toEqual([
      { error_code: 'model_blacklisted', requests: 2, users: 2 },
      { error_code: 'invalid_api_key', requests: 1, users: 0 },
    ]);
    expect(models.map(({ model_requested, requests }) => [model_requested, requests])).toEqual([
      ['gpt-4.1', 9],
      ['@sum', 1],
      ['other', 1],
    ]);
    expect(users.map(({ user_id, user_email, requests }) => [user_id, user_email, requests])).toEqual([
      [admin.userId, 'ada@one.test', 5],
      [member.userId, 'ben@one.test', 4],
      [null, null, 2],
    ]);
    for (const groups of [models, users])
      for (const name of ['requests', ...shadowDifferences, 'cost_usd', 'other_cost_usd'] as const)
        expect(
          groups.reduce((sum, group) => sum + group[name], 0),
          name,
        ).toBeCloseTo(run[name], 12);
  });

  it('getShadowRun lists the 20 models with the most requests', async () => {
    const rows = Array.from({ length: 30 }, (_, at) => ({ model_requested: `model-${at % 25}` }));
    const id = await addShadowRun(database.pool, { tenantId: admin.tenantId }, rows);
    const { models, run } = await as(admin).getShadowRun({ params: { id } });
    expect(models).toHaveLength(20);
    expect(models.slice(0, 6).map(({ requests }) => requests)).toEqual([2, 2, 2, 2, 2, 1]);
    expect(run.requests).toBe(30);
    await as(admin).deleteShadowRun({ params: { id } });
  });

  it.each<[string, () => Query, number[]]>([
    ['a difference', () => ({ difference: 'refused_here' }), [6, 7]],
    ['an error code', () => ({ error_code: 'model_blacklisted' }), [6, 9]],
    ['a model', () => ({ model_requested: 'other' }), [7]],
    ['a user', () => ({ user_id: member.userId }), [3, 4, 5, 6]],
    ['several filters', () => ({ user_id: member.userId, difference: 'none' }), [4, 5]],
    ['a position', () => ({ after: 9 }), [10, 11]],
    ['a page', () => ({ after: 2, skip: 1, limit: 2 }), [4, 5]],
    ['an unknown value', () => ({ error_code: "' OR 1=1" }), []],
  ])('listShadowRequests filters by %s', async (_, query, positions) => {
    expect(await positionsOf(query())).toEqual(positions);
  });

  it('listShadowRequests names the user of a request unless the user is unknown or deleted', async () => {
    const requests = await list();
    expect(requests[5]).toMatchObject({
      user_id: member.userId,
      user_email: 'ben@one.test',
      message: '=cmd()',
    });
    expect(requests[6]).toMatchObject({ user_id: null, user_name: null });
    expect(requests[10]).toMatchObject({ user_id: null, user_name: null, other_outcome: null });
  });

  it.each<[string, Query]>([
    ['all requests', {}],
    ['the requests that match filters', { error_code: 'model_blacklisted' }],
    ['the requests after a position', { after: 5 }],
  ])('the CSV file of a shadow run contains %s in the order of the list', async (_, query) => {
    const [head = '', ...lines] = (await readCsv(query)).trimEnd().split('\r\n');
    const requests = await list(query);
    expect(lines).toHaveLength(requests.length);
    const names = head.split(',') as (keyof ShadowRequest)[];
    expect(names.toSorted()).toEqual(Object.keys(requests[0]!).toSorted());
    for (const [at, { position, difference, user_email: email, path }] of requests.entries())
      expect(lines[at]).toMatch(
        new RegExp(`^${position},2026-11-02T\\d\\d:00:00.000Z,.*${email ?? ''},${path},.*${difference},`),
      );
  });

  it('the CSV file of a shadow run escapes cells that a spreadsheet would evaluate', async () => {
    const text = await readCsv();
    expect(text).toContain("model_blacklisted,'=cmd(),");
    expect(text).toContain(",'@sum,");
    expect(text).toContain('"Unknown key, ""quoted"""');
  });

  it('the CSV file of a shadow run contains each row once if there is more than one batch', async () => {
    const id = await addShadowRun(
      database.pool,
      { tenantId: admin.tenantId },
      Array.from({ length: 2_345 }, () => ({})),
    );
    const answer = await as(admin).listShadowRequests({ params: { id }, query: { format: 'csv' } });
    const lines = (await (answer as unknown as Blob).text()).trimEnd().split('\r\n').slice(1);
    expect(lines.map((line) => Number(line.split(',')[0]))).toEqual(
      Array.from({ length: 2_345 }, (_, at) => at + 1),
    );
    await as(admin).deleteShadowRun({ params: { id } });
  });

  it("another tenant's shadow run can be neither read nor deleted", async () => {
    const other = as(stranger);
    const params = { id: runId };
    expect(await other.listShadowRuns()).toEqual([]);
    for (const call of [
      () => other.getShadowRun({ params }),
      () => other.listShadowRequests({ params, query: {} }),
      () => other.listShadowRequests({ params, query: { format: 'csv' } }),
      () => other.deleteShadowRun({ params }),
    ])
      await expect(call()).rejects.toMatchObject({ status: 404 });
    expect(await list()).toHaveLength(11);
  });

  it('deleteShadowRun deletes the requests and writes one audit entry', async () => {
    const id = await addShadowRun(database.pool, { tenantId: admin.tenantId, name: 'Gone' }, listRows());
    await as(admin).deleteShadowRun({ params: { id } });
    const { rows } = await database.pool.query('SELECT FROM shadow_requests WHERE run_id = $1', [id]);
    expect(rows).toEqual([]);
    const { rows: entries } = await database.pool.query(
      "SELECT object_name, after FROM audit_entries WHERE object_type = 'shadow_run' AND object_id = $1 AND after IS NULL",
      [String(id)],
    );
    expect(entries).toEqual([{ object_name: 'Gone', after: null }]);
    await expect(as(admin).deleteShadowRun({ params: { id } })).rejects.toMatchObject({ status: 404 });
  });
});
