import { type Labels, type Statement, statementRowsMax, statementsRoutes, toNanoUsd } from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Principal } from '#domain/principal.ts';
import type { RequestRecord } from '#gateway/request-log/request-record.ts';
import { createLogger } from '#platform/logger.ts';
import { createShipRequests } from '#shipper/ship-requests.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createRecord } from '#test/requests/request-record.ts';
import { createStatementsHandlers } from './routes.ts';

const timeZone = 'Asia/Kathmandu';
let database: TestDatabase;
let as: (principal: Principal) => ReturnType<ReturnType<typeof createTestConsole<typeof statementsRoutes>>>;
let admin: Principal;
let teams: number[];

const ship = (records: readonly RequestRecord[]) =>
  createShipRequests({ pool: database.pool, nodeSlot: 1, log: createLogger('error') })(records);

let place = 0;

function createAt(instant: string, given: Partial<RequestRecord> = {}): RequestRecord {
  const receivedAtMs = Date.parse(instant);
  const time = receivedAtMs.toString(16).padStart(12, '0');
  const tail = (++place).toString(16).padStart(12, '0');
  return createRecord({
    id: `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${tail}`,
    receivedAtMs,
    tenantId: admin.tenantId,
    userId: admin.userId,
    llmProviderId: 1 + (place % 2),
    providerKey: 'openai',
    model: place % 3 === 0 ? 'a' : 'b',
    status: 'success',
    usage: {
      inputTokens: 10 + place,
      cacheReadTokens: 1,
      cacheWriteTokens: 2,
      outputTokens: 5,
      reasoningTokens: 0,
    },
    costNanoUsd: String(1_000_001 + place * 1_013),
    isServiceManaged: place % 2 === 0,
    ...given,
  });
}

function buildMonth(): RequestRecord[] {
  const pick = <Value>(values: readonly Value[], at: number): Value => values[at % values.length]!;
  const within = Array.from({ length: 60 }, (_, at) =>
    createAt(new Date(Date.parse('2026-09-30T18:15:00Z') + at * 44_500_000).toISOString(), {
      teamId: pick([null, ...teams], at),
      labels: pick<Labels | null>(
        [null, { cost_center: '4711' }, { cost_center: '=1+1', project: 'x' }, { project: 'x' }],
        at,
      ),
      status: at % 10 === 9 ? 'refused' : 'success',
      ...(at % 10 === 9 && { usage: null, costNanoUsd: null }),
    }),
  );
  return [
    ...within,
    createAt('2026-09-30T18:14:59.999Z', { labels: { cost_center: 'before' }, isServiceManaged: true }),
    createAt('2026-10-31T18:14:59.999Z', { labels: { cost_center: 'last' }, isServiceManaged: true }),
    createAt('2026-10-31T18:15:00Z', { labels: { cost_center: 'after' }, isServiceManaged: true }),
  ];
}

let records: RequestRecord[];

beforeAll(async () => {
  database = await createTestDatabase();
  const { pool } = database;
  admin = await addPerson(pool, await addTenant(pool, 'One', { timeZone }), 'admin', 'ada@one.test');
  teams = [];
  for (const name of ['Payments', 'Research']) {
    const { rows } = await pool.query<{ id: number }>(
      'INSERT INTO teams (tenant_id, name) VALUES ($1, $2) RETURNING id',
      [admin.tenantId, name],
    );
    teams.push(rows[0]!.id);
  }
  const console = createTestConsole(pool, statementsRoutes, createStatementsHandlers());
  as = (principal) => console({ principal });
  records = buildMonth();
  await ship(records.slice(0, 30));
  await ship(records.slice(30));
  await ship(records.slice(30));
});
afterAll(() => database.close());

const month = '2026-10';

async function read(query: object = {}): Promise<Statement> {
  const answer = await as(admin).getStatement({ query: { month, ...query } });
  if (answer instanceof Blob) throw new TypeError('The statement is not JSON');
  return answer;
}

const amountNames = ['requests', 'tokens'] as const;
const moneyNames = ['self_managed_usd', 'service_managed_usd', 'cost_usd'] as const;

function expectAddsUp({ rows, total }: Statement): void {
  for (const name of amountNames)
    expect(
      rows.reduce((sum, row) => sum + row[name], 0),
      name,
    ).toBe(total[name]);
  for (const name of moneyNames)
    expect(
      rows.reduce((sum, row) => sum + toNanoUsd(row[name]), 0n),
      name,
    ).toBe(toNanoUsd(total[name]));
}

async function sumLog(condition: string) {
  const { rows } = await database.pool.query<{ requests: number; tokens: number; cost: string }>(
    `SELECT count(*)::int AS requests, coalesce(sum(prompt_tokens + completion_tokens), 0)::int AS tokens,
       coalesce(sum(cost_nano_usd), 0)::text AS cost
     FROM request_logs WHERE tenant_id = $1 AND status <> 'refused' AND (${condition})
       AND (received_at AT TIME ZONE $2)::date BETWEEN '2026-10-01' AND '2026-10-31'`,
    [admin.tenantId, timeZone],
  );
  return rows[0]!;
}

describe('getStatement', () => {
  it.each([
    { by: 'team' },
    { by: 'label', label: 'cost_center' },
    { by: 'label', label: 'project' },
    { by: 'label', label: 'unused' },
  ])('the statement rows of %j equal the log, and add up to the total of all requests', async (query) => {
    const statement = await read(query);
    expectAddsUp(statement);
    const whole = await sumLog('true');
    expect(statement.total).toMatchObject({ requests: whole.requests, tokens: whole.tokens });
    expect(toNanoUsd(statement.total.cost_usd)).toBe(BigInt(whole.cost));
    for (const { kind, name, team_id, requests, tokens, cost_usd } of statement.rows) {
      const value = query.by === 'team' ? 'team_id' : `labels->>'${query.label}'`;
      const isRow = kind === 'none' ? `${value} IS NULL` : `${value}::text = '${team_id ?? name}'`;
      const logged = await sumLog(isRow);
      expect({ name, requests, tokens, cost: toNanoUsd(cost_usd) }).toEqual({
        name,
        requests: logged.requests,
        tokens: logged.tokens,
        cost: BigInt(logged.cost),
      });
    }
  });

  it('the month of a statement starts and ends in the time zone of the tenant', async () => {
    const names = (await read({ by: 'label', label: 'cost_center' })).rows.map(({ name }) => name);
    expect(names).toContain('last');
    expect(names).not.toContain('before');
    expect(names).not.toContain('after');
    expect(await read()).toMatchObject({
      first_day: '2026-10-01',
      last_day: '2026-10-31',
      time_zone: timeZone,
    });
  });

  it('the service-managed cost equals the deductions of the ledger, and a difference is reported', async () => {
    const statement = await read();
    const { rows } = await database.pool.query<{ amount: string }>(
      `SELECT -sum(amount) AS amount FROM ledger_entries WHERE tenant_id = $1 AND kind = 'deduction'
       AND (minute AT TIME ZONE $2)::date BETWEEN '2026-10-01' AND '2026-10-31'`,
      [admin.tenantId, timeZone],
    );
    expect(statement.total.service_managed_usd).toBeGreaterThan(0);
    expect(toNanoUsd(statement.total.service_managed_usd)).toBe(BigInt(rows[0]!.amount));
    expect(statement.ledger_deductions_usd).toBe(statement.total.service_managed_usd);
    expect(statement.matches_ledger).toBe(true);
    const change = (sign: '+' | '-') =>
      database.pool.query(
        `UPDATE usage_rollups SET company_llm_nano_usd = company_llm_nano_usd ${sign} 1
         WHERE ctid = (SELECT ctid FROM usage_rollups WHERE bucket_start BETWEEN '2026-10-02' AND '2026-10-30'
           AND company_llm_nano_usd > 0 ORDER BY bucket_start LIMIT 1)`,
      );
    await change('+');
    expect((await read()).matches_ledger).toBe(false);
    await change('-');
  });

  it('statement rows beyond the maximum are summed in one row, so that the total is unchanged', async () => {
    const values = Array.from({ length: statementRowsMax + 2 }, (_, at) =>
      createAt('2026-07-15T12:00:00Z', { labels: { ticket: `t${at}` } }),
    );
    await ship(values);
    const statement = await read({ month: '2026-07', label: 'ticket' });
    expectAddsUp(statement);
    expect(statement.rows).toHaveLength(statementRowsMax + 1);
    expect(statement.rows.at(-1)).toMatchObject({ kind: 'other', requests: 2 });
  });

  it('the statement of a former month names a deleted team by its last name', async () => {
    const { rows } = await database.pool.query<{ id: number }>(
      "INSERT INTO teams (tenant_id, name) VALUES ($1, 'Sales') RETURNING id",
      [admin.tenantId],
    );
    const id = rows[0]!.id;
    await ship([createAt('2026-05-15T12:00:00Z', { teamId: id })]);
    await database.pool.query("UPDATE teams SET name = 'Sales and Support' WHERE id = $1", [id]);
    await database.pool.query('DELETE FROM teams WHERE id = $1', [id]);
    expect((await read({ month: '2026-05' })).rows).toMatchObject([
      { team_id: id, name: 'Sales and Support (deleted)', requests: 1 },
    ]);
  });

  it('the statement of a month without usage has no rows and matches the ledger', async () => {
    const empty = await read({ month: '2025-02' });
    expect(empty).toMatchObject({ rows: [], last_day: '2025-02-28', is_over: true, matches_ledger: true });
    expect(empty.total).toMatchObject({ requests: 0, cost_usd: 0 });
  });

  it.each([
    [{ by: 'label' }, 'Enter the name of the label'],
    [{ by: 'label', label: 'Cost Center' }, 'must have the form name=value'],
  ])('getStatement rejects %j with an explanation', async (query, text) => {
    await expect(read(query)).rejects.toThrow(text);
  });
});

describe('getStatement with filters', () => {
  const isMarked = "labels->>'cost_center' = '4711'";

  it.each<[name: string, query: () => object, condition: () => string]>([
    ['a team', () => ({ team_id: teams[0] }), () => `team_id = ${teams[0]}`],
    ['several teams', () => ({ team_id: teams }), () => `team_id IN (${teams.join()})`],
    ['a label with a value', () => ({ label: 'cost_center=4711' }), () => isMarked],
    ['a label with a value, by team', () => ({ by: 'team', label: 'cost_center=4711' }), () => isMarked],
    ['a label of any value, by team', () => ({ by: 'team', label: 'project' }), () => "labels ? 'project'"],
    [
      'a team and a label with a value',
      () => ({ team_id: teams[1], label: 'project=x' }),
      () => `team_id = ${teams[1]} AND labels->>'project' = 'x'`,
    ],
  ])(
    'a statement of %s includes only these requests, and is not compared with the ledger',
    async (_, query, condition) => {
      const statement = await read(query());
      const logged = await sumLog(condition());
      expect(logged.requests).toBeGreaterThan(0);
      expectAddsUp(statement);
      expect(statement.total).toMatchObject({ requests: logged.requests, tokens: logged.tokens });
      expect(toNanoUsd(statement.total.cost_usd)).toBe(BigInt(logged.cost));
      expect(statement).toMatchObject({
        is_filtered: true,
        ledger_deductions_usd: null,
        matches_ledger: null,
      });
    },
  );

  it('a label without a value groups all requests of a statement by its values', async () => {
    expect(await read({ label: 'cost_center' })).toMatchObject({
      by: 'label',
      label: 'cost_center',
      is_filtered: false,
    });
  });
});

describe('getStatement as CSV', () => {
  it('the CSV file of a statement contains its rows and total, and no formulas', async () => {
    const query = { by: 'label', label: 'cost_center' } as const;
    const { rows, total } = await read(query);
    const answer = await as(admin).getStatement({ query: { month, ...query, format: 'csv' } });
    const file = answer instanceof Blob ? await answer.text() : '';
    const [head, ...lines] = file.replace('\u{feff}', '').trimEnd().split('\r\n');
    expect(head).toBe('month,kind,cost_center,requests,tokens,self_managed_usd,service_managed_usd,cost_usd');
    expect(lines).toHaveLength(rows.length + 1);
    expect(lines.at(-1)).toBe(
      `2026-10,total,,${total.requests},${total.tokens},${total.self_managed_usd},${total.service_managed_usd},${total.cost_usd}`,
    );
    expect(file).toContain(",'=1+1,");
  });
});
