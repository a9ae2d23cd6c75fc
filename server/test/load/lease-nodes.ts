import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createPool } from '#db/pool.ts';
import type { Period } from '#domain/allowance/period.ts';
import { type AllowanceKind, isBudget } from '#domain/allowance/window.ts';
import { releaseNodes } from '#gateway/allowance/expired-nodes.ts';
import type { Fit, Hold, Subject } from '#gateway/allowance/hold.ts';
import { type BookTimes, bookTimes, LeaseBook } from '#gateway/allowance/lease-book.ts';
import { createLeaseDatabase, type LeaseDatabase } from '#gateway/allowance/lease-queries.ts';
import { recordHold } from '#gateway/request-log/assemble-record.ts';
import type { RequestRecord } from '#gateway/request-log/request-record.ts';
import { createLogger } from '#platform/logger.ts';
import { createShipRequests, type ShipRequests } from '#shipper/ship-requests.ts';
import type { TestDatabase } from '../database/cluster-database.ts';
import { createRecord } from '../requests/request-record.ts';

export type Amounts = { readonly [Kind in AllowanceKind]?: number };

export interface HeldRequest {
  readonly hold: Hold;
  readonly record: RequestRecord;
}

/** Gateway node reduced to leases and journal. The test decides what the node ships, and when. */
export interface LeaseNode {
  readonly id: string;
  readonly book: LeaseBook;
  statements: number;
  isLive: boolean;
  /** Fault of the node's statements: they fail before they run, or their responses are lost. */
  fault: 'none' | 'refused' | 'answers-lost';
  /** Delays the responses to the node's statements until the promise resolves; `null` causes no delay. */
  answersAfter: Promise<void> | null;
  /** Takes credits from the tenant and all other amounts from the user. */
  take(amounts: Amounts): Promise<HeldRequest>;
  end(request: HeldRequest, used: Amounts): void;
  readonly settled: readonly RequestRecord[];
  ship(): Promise<void>;
  /** Stops the node. A replay is the only way to write its holds to the database. */
  kill(): void;
  /** `interrupted` returns the usage of requests that were in flight. */
  replay(interrupted?: (record: RequestRecord) => Amounts): Promise<void>;
}

export interface Payers {
  readonly tenantId: number;
  readonly userId: number;
  readonly budgetId?: number;
}

export interface LeaseNodes {
  add(payers: Payers): Promise<LeaseNode>;
  /** Resolves once every node has received all previous notifications. */
  heard(): Promise<void>;
  close(): Promise<void>;
}

export interface LeaseNodesOptions {
  readonly database: TestDatabase;
  readonly nowMs?: () => number;
  readonly times?: BookTimes;
  /** Maximum number of concurrent statements. Each node sends one statement at a time. */
  readonly connections?: number;
}

/** All nodes receive the notifications of the database. */
export async function createLeaseNodes({
  database: { connectionString },
  nowMs = Date.now,
  times = bookTimes,
  connections = 6,
}: LeaseNodesOptions): Promise<LeaseNodes> {
  await using cleanup = new AsyncDisposableStack();
  const nodes = new Set<LeaseNode>();
  const waiting = new Map<string, () => void>();
  const pool = createPool(connectionString, connections, 'test-leases');
  cleanup.defer(() => pool.end());
  const listener = new pg.Client({ connectionString });
  await listener.connect();
  cleanup.defer(() => listener.end());
  await listener.query('LISTEN sluice_changes');
  listener.on('notification', ({ payload = '' }) => {
    waiting.get(payload)?.();
    for (const { book } of nodes) book.onNotification(payload);
  });
  cleanup.defer(() => Promise.all([...nodes].map(({ book }) => book.whenQuiet())).then(() => undefined));
  const ship = createShipRequests({ pool, nodeSlot: 0, log: createLogger('error') });
  const running = cleanup.move();
  return {
    async add(payers) {
      const database = createLeaseDatabase(pool);
      const id = randomUUID();
      await database.register(id, 60_000);
      const onKill = () => nodes.delete(node);
      const node = createLeaseNode({ id, payers, database, pool, ship, nowMs, times, onKill });
      nodes.add(node);
      return node;
    },
    async heard() {
      const { promise, resolve } = Promise.withResolvers<void>();
      const mark = `heard:${randomUUID()}`;
      waiting.set(mark, resolve);
      await pool.query(`SELECT pg_notify('sluice_changes', $1)`, [mark]);
      await promise;
      waiting.delete(mark);
    },
    close: () => running.disposeAsync(),
  };
}

interface NodeParts {
  readonly id: string;
  readonly payers: Payers;
  readonly database: LeaseDatabase;
  readonly pool: pg.Pool;
  readonly ship: ShipRequests;
  readonly nowMs: () => number;
  readonly times: BookTimes;
  readonly onKill: () => void;
}

function createLeaseNode({ id, payers, database, pool, ship, nowMs, times, onKill }: NodeParts): LeaseNode {
  let isKilled = false;
  const { open, settled, end } = createTestJournal();
  const node: LeaseNode = {
    id,
    settled,
    book: new LeaseBook(
      asFaultSays(
        database,
        () => node,
        () => isKilled,
      ),
      { id, nowMs, isLive: () => node.isLive },
      times,
    ),
    statements: 0,
    isLive: true,
    fault: 'none',
    answersAfter: null,
    async take(amounts) {
      const hold = await node.book.admit(...request(amounts, payers));
      const held = { hold, record: describeRecord(hold, payers) };
      open.add(held);
      return held;
    },
    end(request, used) {
      end(request, used);
      node.book.settle(
        request.hold,
        request.hold.parts.map(({ lease }) => used[lease.key.kind] ?? 0),
      );
    },
    async ship() {
      await ship(settled);
      settled.length = 0;
    },
    kill() {
      isKilled = true;
      onKill();
    },
    async replay(interrupted = () => ({})) {
      for (const request of open) end(request, interrupted(request.record));
      await node.ship();
      await releaseNodes(pool, [id]);
    },
  };
  return node;
}

function createTestJournal() {
  const open = new Set<HeldRequest>();
  const settled: RequestRecord[] = [];
  const end = (request: HeldRequest, used: Amounts) => {
    open.delete(request);
    const amounts = request.hold.parts.map(({ lease }) => used[lease.key.kind] ?? 0);
    const costNanoUsd = String(used.credits ?? 0);
    settled.push({ ...request.record, hold: recordHold(request.hold, 0, amounts), costNanoUsd });
  };
  return { open, settled, end };
}

/** Wraps a database to count its statements and to fail them according to the node's `fault`. */
function asFaultSays(
  database: LeaseDatabase,
  nodeOf: () => LeaseNode,
  isKilled: () => boolean,
): LeaseDatabase {
  return {
    ...database,
    async change(...parameters) {
      const node = nodeOf();
      if (isKilled() || node.fault === 'refused') throw new Error('the database is unavailable');
      node.statements++;
      const states = await database.change(...parameters);
      await node.answersAfter;
      if (node.fault === 'answers-lost') throw new Error('the response is lost');
      return states;
    },
  };
}

export function request(amounts: Amounts, payers: Payers): [Subject[], Fit] {
  // safe because the keys are those of Amounts
  const wanted = Object.entries(amounts) as [AllowanceKind, number][];
  const subjects = wanted.map(([kind]) => describePayer(kind, payers));
  const fit: Fit = (left) => {
    const lacking = wanted.findIndex(([, amount], index) => amount > (left[index] ?? 0));
    const amount = wanted[lacking]?.[1];
    return amount === undefined ? { amounts: wanted.map(([, one]) => one) } : { lacking, amount };
  };
  return [subjects, fit];
}

function describePayer(kind: AllowanceKind, { budgetId, tenantId, userId }: Payers): Subject {
  if (kind === 'credits') return { kind, subjectId: tenantId, timeZone: 'UTC' };
  if (!isBudget(kind) || budgetId === undefined) return { kind, subjectId: userId, timeZone: 'UTC' };
  return { kind, subjectId: budgetId, timeZone: 'UTC', period: allTime };
}

const allTime: Period = { unit: 'total', startsAtMs: null };

function describeRecord(hold: Hold, { tenantId, userId }: Payers): RequestRecord {
  return createRecord({
    ...{ tenantId, userId, status: 'success', httpStatus: 200, attempts: 1, isSent: true },
    ...{ llmProviderId: 1, providerKey: 'custom', model: 'm', isServiceManaged: true },
    hold: recordHold(hold, 0),
  });
}
