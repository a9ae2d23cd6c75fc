import { setTimeout as pause } from 'node:timers/promises';
import { contract, pathOf, type RouteRow } from '@sluice/contract';
import { addCaller, type Caller, type CallerKind, judge } from './callers.ts';
import { makeInput } from './inputs.ts';
import { type Owner, owners } from './object-kind.ts';
import { makeId, objectKindOf } from './objects.ts';
import type { RowInput } from './row-input.ts';
import type { World } from './world.ts';

export const rows = Object.values<Record<string, RouteRow>>(contract).flatMap((routes) =>
  Object.entries(routes),
);

/** Configures an unreachable mail server and simulated cards, so that tests can call the routes that require them. */
export const workerVariables = {
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'sluice@example.test',
  SLUICE_DEMO: '1',
  SLUICE_ALLOW_PRIVATE_ENDPOINTS: '1',
};

export interface Cell {
  readonly rowName: string;
  readonly row: RouteRow;
  readonly kind: CallerKind;
}

export interface Attempt {
  readonly owner: Owner | null;
  readonly id: string | null;
  readonly caller: Caller;
  readonly input: RowInput;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Returns a function that prepares the requests of a cell: one for each possible owner of the path's object, or for
 * the owners that `ownersOf` selects.
 */
export function createPreparer(
  world: World,
  ownersOf: (cell: Cell) => readonly Owner[] = () => owners,
): (cell: Cell) => Promise<Attempt[]> {
  /** Many cells share users and objects that no request changes. */
  const lastingCallers = new Map<CallerKind, Promise<Caller>>();
  const lastingIds = new Map<string, Promise<string>>();
  return async (cell) => {
    const { rowName, row, kind } = cell;
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
    return Promise.all(objectKind ? ownersOf(cell).map(prepareOne) : [prepareOne(null)]);
  };
}

const triesMax = 20;

export async function send(...request: Parameters<typeof sendOnce>): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const answer = await sendOnce(...request);
    if (answer.status !== 503 || !answer.headers['retry-after'] || tries === triesMax) return answer;
    await pause(500);
  }
}

async function sendOnce(
  origin: string,
  row: RouteRow,
  { id, caller, input }: Pick<Attempt, 'id' | 'caller' | 'input'>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const url = new URL(origin + pathOf(row).replace(/\{.*\}/, id ?? ''));
  for (const [name, value] of Object.entries(input.query ?? {})) url.searchParams.set(name, value);
  const response = await fetch(url, {
    redirect: 'manual',
    method: row.method,
    headers: {
      ...(caller.authorization ? { authorization: caller.authorization } : {}),
      ...(input.body ? { 'content-type': 'application/json' } : {}),
      ...headers,
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

/** Whether a route is for platform operators, who may act for any tenant. */
export const crossesTenants = (row: RouteRow) => row.permission === 'super_admin';

export function expectedStatus({ row, rowName, kind }: Cell, { owner, input }: Attempt): number {
  const verdict = judge(kind, row);
  if (verdict !== 'allowed') return verdict;
  if (owner === 'missing' || (owner === 'other tenant' && !crossesTenants(row))) return 404;
  if (owner && objectKindOf(rowName, row)?.isHidden?.(kind.role, owner)) return 404;
  if (owner === 'own' && input.statusForSelf) return input.statusForSelf;
  return input.status ?? row.status ?? 200;
}
