import { type Sandbox, startSandbox } from '@sluice/sandbox';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type RunningServer, startWorker } from '../console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import {
  type Attempt,
  type Cell,
  createPreparer,
  crossesTenants,
  expectedStatus,
  rows,
  send,
  workerVariables,
} from './attempts.ts';
import { callerKinds, mightiest } from './callers.ts';
import { createWorld, type World } from './world.ts';

const admin = callerKinds.find(({ name }) => name === 'admin')!;
const scim = callerKinds.find(({ name }) => name === mightiest.scim)!;
const cells: Cell[] = rows
  .filter(([, row]) => row.surface !== 'public' && !crossesTenants(row))
  .map(([rowName, row]) => ({ rowName, row, kind: row.surface === 'scim' ? scim : admin }));

interface Mutant {
  readonly sql: string;
  readonly cut: string;
  /** Whether the changed query returns more rows than the original one under the tenant role. */
  readonly leaks: boolean;
  /** Whether the changed query would return more rows without row-level security. */
  readonly isBarred: boolean;
}

const mutants = new Map<string, Mutant>();

let database: TestDatabase;
let world: World;
let sandbox: Sandbox;
let worker: RunningServer;
const attempts = new Map<Cell, Attempt[] | Error>();
let foreignBefore: unknown;

beforeAll(async () => {
  database = await createTestDatabase();
  world = await createWorld(database.pool);
  const prepare = createPreparer(world);
  await Promise.all(
    cells.map(async (cell) => attempts.set(cell, await prepare(cell).catch((error: Error) => error))),
  );
  sandbox = await startSandbox();
  // Removes held mails, since a node with a mail server sends all mails held within the last hour.
  await database.pool.query(
    "UPDATE mails SET created_at = created_at - interval '2 hours' WHERE status = 'held'",
  );
  foreignBefore = await readTenant(world.foreign.id);
  cutConditions();
  worker = await startWorker({
    connectionString: database.connectionString,
    sandboxOrigin: sandbox.origin,
    variables: workerVariables,
  });
});
afterAll(async () => {
  await worker.close();
  vi.restoreAllMocks();
  await sandbox.close();
  await database.close();
});

/** Matches a comparison of a tenant column with a parameter, as written by the query builder and the stores. */
const tenantCondition = /(?:"?\w+"?\.)?"?tenant_id"? = (\$\d+)|"tenants"\."id" = (\$\d+)/g;

function cutTenant(text: string): string {
  return text.replace(tenantCondition, (_, one, two) => `${one ?? two}::integer IS NOT NULL`);
}

interface Query {
  readonly text: string;
}

function cutConditions(): void {
  type Send = (query: unknown, values?: unknown[], callback?: unknown) => Promise<pg.QueryResult>;
  const original = pg.Client.prototype.query as unknown as Send; // safe because the console uses only the promises of queries
  const turns = new WeakMap<pg.Client, Promise<unknown>>();
  const inTenant = new WeakSet<pg.Client>();
  const replacement = function (this: pg.Client, query: unknown, values?: unknown[], callback?: unknown) {
    const ask: Send = (...input) => original.apply(this, input);
    if (callback !== undefined || typeof values === 'function') return ask(query, values, callback);
    const text = typeof query === 'string' ? query : (query as Query).text;
    if (text.startsWith('BEGIN; SET LOCAL ROLE sluice_tenant')) inTenant.add(this);
    if (!inTenant.has(this)) return ask(query, values);
    if (/^(COMMIT|ROLLBACK)$/.test(text)) inTenant.delete(this);
    const turn = (turns.get(this) ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => (cutTenant(text) === text ? ask(query, values) : judge(ask, query as Query, values)));
    turns.set(this, turn);
    return turn;
  };
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(replacement as never);
}

async function judge(
  ask: (query: unknown, values?: unknown[]) => Promise<pg.QueryResult>,
  query: Query,
  values: unknown[] | undefined,
): Promise<pg.QueryResult> {
  const cut = { ...query, text: cutTenant(query.text) };
  /** Rolls the query back. */
  const preview = async (asked: Query, role: 'sluice_tenant' | 'NONE') => {
    await ask(`SAVEPOINT preview; SET LOCAL ROLE ${role}`);
    const seen = await ask(asked, values).then(
      ({ rows: answers, rowCount }) =>
        JSON.stringify([rowCount, answers.map((row) => JSON.stringify(row, writeBig)).sort()]),
      (error: Error) => error.message,
    );
    await ask('ROLLBACK TO preview; RELEASE preview');
    return seen;
  };
  const written = await preview(query, 'sluice_tenant');
  const underRole = await preview(cut, 'sluice_tenant');
  // A concurrent request may have added a row of the same tenant. The repeated original query then returns this row
  // as well.
  const leaks = underRole !== written && underRole !== (await preview(query, 'sluice_tenant'));
  const isBarred = (await preview(cut, 'NONE')) !== written;
  const earlier = mutants.get(query.text);
  mutants.set(query.text, {
    sql: query.text,
    cut: cut.text,
    leaks: leaks || earlier?.leaks === true,
    isBarred: isBarred || earlier?.isBarred === true,
  });
  return ask(cut, values);
}

function writeBig(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

async function readTenant(tenantId: number): Promise<Record<string, unknown[]>> {
  const { rows: tables } = await database.pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'tenant_id' ORDER BY 1`,
  );
  const contents = tables.map(async ({ name }) => {
    const { rows: found } = await database.pool.query(
      `SELECT to_jsonb(t)::text AS row FROM ${name} t WHERE tenant_id = $1 ORDER BY 1`,
      [tenantId],
    );
    return [name, found] as const;
  });
  return Object.fromEntries(await Promise.all(contents));
}

describe('row-level security without tenant conditions in console queries', () => {
  it.for(cells)('row-level security alone isolates tenants in $rowName', async (cell, { skip }) => {
    const prepared = attempts.get(cell);
    // The access matrix reports requests that it cannot create.
    if (!prepared || prepared instanceof Error) return skip();
    for (const attempt of prepared) {
      const { status, body } = await send(worker.origin, cell.row, attempt);
      expect(status, `${attempt.owner ?? 'no'} object: ${body}`).toBe(expectedStatus(cell, attempt));
      const answer = attempt.id ? body.replaceAll(attempt.id, '{id}') : body;
      expect(answer).not.toContain(world.foreign.marker);
    }
  });

  it('row-level security hides foreign rows from all changed queries, at least 20 of which would return some', () => {
    const found = [...mutants.values()];
    expect(found.filter(({ leaks }) => leaks).map(({ cut }) => cut)).toEqual([]);
    const barred = found.filter(({ isBarred }) => isBarred);
    console.log(
      `${found.length} queries without their tenant, of which ${barred.length} would have told or touched others`,
    );
    expect(barred.length).toBeGreaterThanOrEqual(20);
  });

  it('row-level security prevents all changes to the other tenant', async () => {
    expect(await readTenant(world.foreign.id)).toEqual(foreignBefore);
  });
});

describe('tables with a tenant', () => {
  it('every table with a tenant that the tenant role reads shows only rows of the selected tenant, and none if no tenant is selected', async () => {
    const { rows: tables } = await database.pool.query<{ name: string; is_secured: boolean }>(
      `SELECT relname AS name, relrowsecurity AS is_secured FROM pg_class
       JOIN pg_attribute ON attrelid = pg_class.oid AND attname = 'tenant_id'
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
         AND has_table_privilege('sluice_tenant', pg_class.oid, 'SELECT')`,
    );
    expect(tables.length).toBeGreaterThan(10);
    const client = await database.pool.connect();
    try {
      for (const { name, is_secured } of tables) {
        expect(is_secured, name).toBe(true);
        for (const tenant of [world.home.id, '']) {
          await client.query(
            `BEGIN; SET LOCAL ROLE sluice_tenant; SELECT set_config('app.tenant', '${tenant}', true)`,
          );
          const { rows: seen } = await client.query(
            `SELECT tenant_id FROM ${name} WHERE tenant_id IS DISTINCT FROM NULLIF('${tenant}', '')::integer
               AND tenant_id IS NOT NULL`,
          );
          await client.query('ROLLBACK');
          expect(seen, `${name} as tenant ${tenant || 'nobody'}`).toEqual([]);
        }
      }
    } finally {
      client.release();
    }
  });
});
