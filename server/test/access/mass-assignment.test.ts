import { type RouteRow, readOnlyFieldsOf } from '@sluice/contract';
import { type Sandbox, startSandbox } from '@sluice/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type RunningServer, startWorker } from '../console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { type Attempt, createPreparer, rows, send, workerVariables } from './attempts.ts';
import { callerKinds } from './callers.ts';
import type { RowInput } from './row-input.ts';
import { createWorld } from './world.ts';

const places = ['query', 'body', 'form'] as const;
type Place = (typeof places)[number];

const operator = callerKinds.find(({ name }) => name === 'super_admin')!;
/**
 * Parts of requests that routes read, and the query of every management route. A management route without query
 * parameters rejects any query.
 */
const targets = rows
  // SCIM ignores unknown attributes (RFC 7643, 2.1). The SCIM tests cover this.
  .filter(([, { surface }]) => surface !== 'scim')
  .flatMap(([rowName, row]) =>
    places
      .filter((place) => row.request?.[place] || (place === 'query' && row.surface === 'management'))
      .map((place) => ({ rowName, row, place })),
  );

let database: TestDatabase;
let sandbox: Sandbox;
let worker: RunningServer;
let columns: Record<string, unknown>;
const attempts = new Map<string, Attempt[] | Error>();

beforeAll(async () => {
  database = await createTestDatabase();
  columns = await readColumns();
  const prepare = createPreparer(await createWorld(database.pool));
  for (const { rowName, row, place } of targets) {
    const prepared = await prepare({ rowName, row, kind: operator }).catch((error: Error) => error);
    attempts.set(`${rowName} ${place}`, prepared);
  }
  sandbox = await startSandbox();
  const { connectionString } = database;
  worker = await startWorker({ connectionString, sandboxOrigin: sandbox.origin, variables: workerVariables });
});
afterAll(async () => {
  await worker.close();
  await sandbox.close();
  await database.close();
});

const samples: Readonly<Record<string, unknown>> = {
  bool: true,
  _text: ['*'],
  jsonb: {},
  json: {},
  timestamptz: '2030-01-01T00:00:00Z',
  uuid: crypto.randomUUID(),
  text: 'super_admin',
  bytea: 'AA==',
};

async function readColumns(): Promise<Record<string, unknown>> {
  const { rows: found } = await database.pool.query<{ name: string; type: string }>(
    `SELECT DISTINCT ON (column_name) column_name AS name, udt_name AS type
     FROM information_schema.columns WHERE table_schema = 'public' ORDER BY column_name`,
  );
  return Object.fromEntries(found.map(({ name, type }) => [name, samples[type] ?? 1]));
}

function findUnlisted({ request }: RouteRow, place: Place, input: RowInput): [string, unknown][] {
  const schema = request?.[place];
  const listed = new Set([...(schema ? listFields(schema) : []), ...Object.keys(input[place] ?? {})]);
  return Object.entries(columns).filter(([name]) => !listed.has(name));
}

function listFields(schema: z.ZodType): string[] {
  type Described = Pick<z.core.JSONSchema.BaseSchema, 'properties' | 'anyOf' | 'oneOf' | 'allOf'>;
  const list = ({ properties = {}, anyOf = [], oneOf = [], allOf = [] }: Described): string[] => [
    ...Object.keys(properties),
    ...[...anyOf, ...oneOf, ...allOf].flatMap((part) => list(part)),
  ];
  return list(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
}

function withFields(input: RowInput, place: Place, fields: [string, unknown][]): RowInput {
  const written = place === 'body' ? fields : fields.map(([name, value]) => [name, String(value)]);
  return { ...input, [place]: { ...input[place], ...Object.fromEntries(written) } };
}

describe('column names as fields', () => {
  it('the list of tested columns is long and includes the privileged ones', () => {
    expect(Object.keys(columns).length).toBeGreaterThan(100);
    expect(columns).toMatchObject({
      tenant_id: 1,
      role_id: 1,
      token_version: 1,
      is_active: true,
      password_hash: 'super_admin',
    });
  });

  // Identity providers add parameters to the redirect URI. The route ignores them.
  const managed = targets.filter(
    ({ row, rowName, place }) =>
      row.surface === 'management' && row.request?.[place] && rowName !== 'receiveRedirect',
  );
  it.for(managed)(
    'the schema of the $place of $rowName rejects each undeclared column name, or drops it from a form',
    ({ rowName, row, place }, { skip }) => {
      const prepared = attempts.get(`${rowName} ${place}`);
      // The access matrix reports requests that it cannot create.
      if (!prepared || prepared instanceof Error) return skip();
      const { input } = prepared[0]!;
      const taken = findUnlisted(row, place, input).filter(
        (field) => row.request?.[place]?.safeParse(withFields(input, place, [field])[place]).success,
      );
      // Forms may contain additional fields, which are ignored.
      if (place === 'form')
        expect(Object.keys(row.request?.form?.parse(withFields(input, place, taken).form) ?? {})).toEqual(
          Object.keys(input.form ?? {}),
        );
      else expect(taken.map(([name]) => name)).toEqual([]);
    },
  );

  it.for(targets)(
    'undeclared column names together change nothing in the $place of $rowName',
    async ({ rowName, row, place }, { skip }) => {
      const prepared = attempts.get(`${rowName} ${place}`);
      if (!prepared || prepared instanceof Error) return skip();
      const [attempt] = prepared;
      const fields = findUnlisted(row, place, attempt!.input);
      const input = withFields(attempt!.input, place, fields);
      const { status, body, headers } = await send(worker.origin, row, { ...attempt!, input });
      // OAuth endpoints return a 400 for malformed requests (RFC 6749, 5.2).
      const refusal = row.path.startsWith('/oauth/') ? 400 : 422;
      if (row.surface === 'management' && place !== 'form') expect(status, body).toBe(refusal);
      else expect(status, body).toBeLessThan(500);
      const { rows: changed } = await database.pool.query(
        'SELECT object_type, after FROM audit_entries WHERE request_id = $1',
        [headers['x-request-id']],
      );
      expect(changed).toEqual([]);
    },
  );
});

describe('read-only fields of an object that is sent back', () => {
  const sentBack = targets.filter(({ row, place }) => place === 'body' && readOnlyFieldsOf(row).length > 0);

  it('more than 8 routes declare read-only fields of their body', () => {
    expect(sentBack.length).toBeGreaterThan(8);
  });

  it.for(sentBack)('read-only fields change nothing in $rowName', async ({ rowName, row }, { skip }) => {
    const prepared = attempts.get(`${rowName} body`);
    if (!prepared || prepared instanceof Error) return skip();
    const [attempt] = prepared;
    const readOnly = readOnlyFieldsOf(row);
    const others = readOnly.map((name): [string, unknown] => [name, columns[name] ?? 1]);
    const input = withFields(attempt!.input, 'body', others);
    const { status, body, headers } = await send(worker.origin, row, { ...attempt!, input });
    expect(status, body).toBe(200);
    const { rows: entries } = await database.pool.query<{ after: Record<string, unknown> }>(
      'SELECT after FROM audit_entries WHERE request_id = $1',
      [headers['x-request-id']],
    );
    const taken = others.filter(([name, value]) =>
      entries.some(({ after }) => Object.hasOwn(after, name) && String(after[name]) === String(value)),
    );
    expect(taken).toEqual([]);
  });
});

describe('metadata in a gateway request', () => {
  it('a log row does not contain metadata claimed in the request', async () => {
    const [, row] = rows.find(([name]) => name === 'createChatCompletion')!;
    // safe because the matrix has an input for this route
    const [attempt] = attempts.get('createChatCompletion body') as Attempt[];
    const { caller, input } = attempt!;
    // Fields that may name a model are rejected if the caller may not use that model.
    const fields = findUnlisted(row, 'body', input).filter(
      ([name]) => !['task_id', 'route'].includes(name) && !/model|provider/.test(name),
    );
    const { headers } = await send(worker.origin, row, {
      ...attempt!,
      input: withFields(input, 'body', fields),
    });
    const read = async () =>
      (
        await database.pool.query('SELECT tenant_id, user_id, task_id FROM request_logs WHERE id = $1', [
          headers['x-request-id'],
        ])
      ).rows;
    await expect.poll(read).toEqual([{ tenant_id: caller.tenant.id, user_id: caller.userId, task_id: null }]);
  });
});
