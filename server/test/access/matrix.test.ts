import { contract, pathOf, type RouteRow } from '@sluice/contract';
import { type Sandbox, startSandbox } from '@sluice/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startWorker } from '../console-server.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { addCaller, type Caller, type CallerKind, callerKinds, judge } from './callers.ts';
import { makeInput, type RowInput } from './inputs.ts';
import { makeId, type Owner, objectKindOf, owners } from './objects.ts';
import { createWorld, type World } from './world.ts';

const rows = Object.values<Record<string, RouteRow>>(contract).flatMap((routes) => Object.entries(routes));
const cells = rows.flatMap(([rowName, row]) =>
  callerKinds.map((kind) => ({ rowName, row, kind, caller: kind.name })),
);

/** One request of the matrix, ready to be sent. */
interface Attempt {
  readonly owner: Owner | null;
  readonly id: string | null;
  readonly caller: Caller;
  readonly input: RowInput;
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

let database: TestDatabase;
let sandbox: Sandbox;
let worker: RunningServer;
let world: World;
/** By cell; all people exist before the worker starts, so that it knows them from its first request on. */
const attempts = new Map<object, Attempt[] | Error>();

beforeAll(async () => {
  database = await createTestDatabase();
  world = await createWorld(database.pool);
  await Promise.all(
    cells.map(async (cell) => attempts.set(cell, await prepare(cell).catch((error: Error) => error))),
  );
  sandbox = await startSandbox();
  const { connectionString } = database;
  // A mail server that is set up and not there.
  const variables = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'sluice@example.test' };
  worker = await startWorker({ connectionString, sandboxOrigin: sandbox.origin, variables });
}, 120_000);
afterAll(async () => {
  await worker.close();
  await sandbox.close();
  await database.close();
});

/** People and objects that no request of theirs changes serve many cells. */
const lastingCallers = new Map<CallerKind, Promise<Caller>>();
const lastingIds = new Map<string, Promise<string>>();

async function prepare({ rowName, row, kind }: (typeof cells)[number]): Promise<Attempt[]> {
  const objectKind = objectKindOf(rowName, row);
  const changesNothing = row.method === 'GET' || judge(kind, row) !== 'allowed';
  const makeCaller = () => addCaller(world, kind);
  const prepareOne = async (owner: Owner | null): Promise<Attempt> => {
    const caller = await (changesNothing
      ? lastingCallers.getOrInsertComputed(kind, makeCaller)
      : makeCaller());
    const input = await makeInput(world, rowName, row, caller);
    if (!objectKind || !owner) return { owner, id: null, caller, input };
    const makeOne = () => makeId(world, objectKind, { caller, owner, rowName });
    const key = `${objectKind.name} ${owner} ${kind.name}`;
    const id = await (changesNothing ? lastingIds.getOrInsertComputed(key, makeOne) : makeOne());
    return { owner, id, caller, input };
  };
  return Promise.all(objectKind ? owners.map(prepareOne) : [prepareOne(null)]);
}

async function send(row: RouteRow, { id, caller, input }: Attempt): Promise<Answer> {
  const url = new URL(worker.origin + pathOf(row).replace(/\{.*\}/, id ?? ''));
  for (const [name, value] of Object.entries(input.query ?? {})) url.searchParams.set(name, value);
  const response = await fetch(url, {
    method: row.method,
    headers: {
      ...(caller.authorization ? { authorization: caller.authorization } : {}),
      ...(input.body ? { 'content-type': 'application/json' } : {}),
    },
    ...(input.body ? { body: JSON.stringify(input.body) } : {}),
    ...(input.form ? { body: new URLSearchParams(input.form) } : {}),
  });
  return {
    status: response.status,
    body: await response.text(),
    headers: Object.fromEntries(response.headers),
  };
}

/** What operators of the platform do, they do for any tenant. */
const crossesTenants = (row: RouteRow) => row.permission === 'super_admin';

function expectedStatus(row: RouteRow, rowName: string, kind: CallerKind, attempt: Attempt): number {
  const verdict = judge(kind, row);
  if (verdict !== 'allowed') return verdict;
  const { owner, input } = attempt;
  if (owner === 'missing' || (owner === 'other tenant' && !crossesTenants(row))) return 404;
  if (owner && objectKindOf(rowName, row)?.isHidden?.(kind.role, owner)) return 404;
  if (owner === 'own' && input.statusForSelf) return input.statusForSelf;
  return row.status ?? 200;
}

describe.each(cells)('$rowName for $caller', (cell) => {
  const { row, rowName, kind } = cell;

  it('answers as the permissions say, and no word of another tenant', async () => {
    const prepared = attempts.get(cell);
    if (prepared instanceof Error) throw prepared;
    const answers = new Map<Owner | null, Answer>();
    for (const attempt of prepared ?? []) {
      const { status, body, headers } = await send(row, attempt);
      const about = `${attempt.owner ?? 'no'} object: ${status} ${body}`;
      expect(status, about).toBe(expectedStatus(row, rowName, kind, attempt));
      const stranger = attempt.caller.tenant === world.home ? world.foreign : world.home;
      const withoutId = attempt.id ? body.replaceAll(attempt.id, '{id}') : body;
      const text = withoutId.replaceAll(headers['x-request-id'] ?? '', '{request}');
      if (!crossesTenants(row)) expect(text).not.toContain(stranger.marker);
      const { date: _date, 'x-request-id': _id, 'content-length': _length, ...others } = headers;
      answers.set(attempt.owner, { status, body: text, headers: others });
    }
    if (answers.size > 1 && judge(kind, row) === 'allowed' && !crossesTenants(row)) {
      expect(answers.get('other tenant')).toEqual(answers.get('missing'));
    }
  });
});

describe('a body', () => {
  const withBody = rows.filter(([, row]) => row.surface === 'management' && row.request?.body);

  it.each(withBody)('with a field that its row does not list is refused: %s', async (rowName, row) => {
    const kind = callerKinds.find(({ name }) => name === 'super_admin')!;
    const caller = await addCaller(world, kind);
    const { body } = await makeInput(world, rowName, row, caller);
    for (const field of ['tenant_id', 'id', 'token_version', 'password_hash', 'created_by']) {
      const parsed = row.request!.body!.safeParse({ ...body, [field]: 1 });
      expect(parsed.success, field).toBe(false);
    }
  });
});

describe('a new row', () => {
  const row: RouteRow = { ...contract.users.updateUser, path: '/admin/rockets/{id}' };

  it('whose input cannot be built fails with the place to add it', async () => {
    const caller = await addCaller(world, callerKinds[0]!);
    const made = makeInput(world, 'launchRocket', contract.users.createUser, caller);
    await expect(made).rejects.toThrow(
      'the access matrix has no input for launchRocket: add a valid one to server/test/access/inputs.ts',
    );
  });

  it('whose object cannot be made fails with the place to add it', () => {
    expect(() => objectKindOf('launchRocket', row)).toThrow(
      'the access matrix cannot make what launchRocket names in /admin/rockets/{id}: add it to server/test/access/objects.ts',
    );
  });
});
