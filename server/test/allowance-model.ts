import fc from 'fast-check';
import type pg from 'pg';
import { createSystemDatabase } from '#db/system.ts';
import { reapNodes } from '#gateway/allowance/departed-nodes.ts';
import { LimitReached } from '#gateway/allowance/limit-reached.ts';
import { postEntries } from '#ledger/post.ts';
import type { TestDatabase } from './cluster-database.ts';
import { addPerson, addTenant } from './console.ts';
import {
  type Amounts,
  createLeaseNodes,
  type HeldRequest,
  type LeaseNode,
  type LeaseNodes,
  type Payers,
} from './lease-nodes.ts';

const kinds = ['requests_per_hour', 'tokens_per_day', 'credits'] as const;
type Kind = (typeof kinds)[number];
type Sums = Record<Kind, number>;

const nothing = (): Sums => ({ requests_per_hour: 0, tokens_per_day: 0, credits: 0 });
const add = (sums: Sums, amounts: Amounts, sign = 1) => {
  for (const kind of kinds) sums[kind] += sign * (amounts[kind] ?? 0);
};

interface OpenRequest {
  readonly amounts: Amounts;
  readonly seat: number;
  readonly real: HeldRequest;
}

/** A node that was killed: what of limits nobody else may have because of it, and what its journal will tell. */
interface DeadNode {
  readonly real: LeaseNode;
  readonly used: Sums;
  blocked: Sums;
  isReaped: boolean;
}

/** What ought to be so, in sums alone: no leases, no windows, no journals. */
interface Model {
  limits: { requests_per_hour: number; tokens_per_day: number | null; credits: number };
  /** By ended requests of living or replayed nodes. */
  used: Sums;
  open: OpenRequest[];
  /** Of ended requests that are not in the database, by seat; and the part of it that their holds cover. */
  unshipped: [Sums, Sums];
  covered: [Sums, Sums];
  dead: DeadNode[];
}

interface Real {
  readonly database: TestDatabase;
  readonly nodes: LeaseNodes;
  readonly payers: Payers;
  readonly seats: [LeaseNode, LeaseNode];
}

type Command = fc.AsyncCommand<Model, Real>;

const hourLimit = 12;

function findFree(model: Model, kind: Kind): number {
  const limit = model.limits[kind];
  if (limit === null) return Number.POSITIVE_INFINITY;
  const sum = (amounts: readonly Amounts[]) => amounts.reduce((total, one) => total + (one[kind] ?? 0), 0);
  // What a request used beyond its hold is known once its row is written.
  const known = model.used[kind] - sum(model.unshipped) + sum(model.covered);
  return limit - known - sum(model.open.map(readHeld)) - sum(model.dead.map(({ blocked }) => blocked));
}

/** What a request holds: nothing of what was unlimited when it was let in. */
function readHeld({ real }: OpenRequest): Amounts {
  return Object.fromEntries(real.hold.parts.map(({ lease, leased }) => [lease.key.kind, leased]));
}

class Take implements Command {
  readonly seat: number;
  readonly amounts: Amounts;
  constructor(seat: number, tokens: number, credits: number) {
    this.seat = seat;
    this.amounts = { requests_per_hour: 1, tokens_per_day: tokens, credits };
  }
  check = () => true;
  async run(model: Model, { seats }: Real): Promise<void> {
    const lacking = kinds.find((kind) => (this.amounts[kind] ?? 0) > findFree(model, kind));
    const outcome = await seats[this.seat]!.take(this.amounts).catch((error: unknown) => error);
    if (outcome instanceof LimitReached) {
      if (!lacking) throw new Error(`refused by ${outcome.facts.kind}, though it fits`, { cause: outcome });
      return;
    }
    if (outcome instanceof Error) throw outcome;
    if (lacking) throw new Error(`let in beyond the limit of ${lacking}`);
    // safe because everything else that take resolves with was handled
    model.open.push({ amounts: this.amounts, seat: this.seat, real: outcome as HeldRequest });
  }
  toString = () => `take ${JSON.stringify(this.amounts)} at ${this.seat}`;
}

class End implements Command {
  readonly pick: number;
  readonly share: number;
  constructor(pick: number, share: number) {
    this.pick = pick;
    this.share = share;
  }
  check = ({ open }: Readonly<Model>) => open.length > 0;
  async run(model: Model, { seats }: Real): Promise<void> {
    const [request] = model.open.splice(this.pick % model.open.length, 1);
    const used = share(request!.amounts, this.share);
    seats[request!.seat]!.end(request!.real, used);
    add(model.used, used);
    add(model.unshipped[request!.seat]!, used);
    const held = readHeld(request!);
    for (const kind of kinds)
      model.covered[request!.seat]![kind] += Math.min(used[kind] ?? 0, held[kind] ?? 0);
  }
  toString = () => `end ${this.pick} with ${this.share}`;
}

/** A request that no provider has seen uses nothing; one that a provider overruns uses up to twice what it held. */
function share(amounts: Amounts, part: number): Amounts {
  return {
    requests_per_hour: part === 0 ? 0 : 1,
    tokens_per_day: Math.floor((amounts.tokens_per_day ?? 0) * part),
    credits: Math.floor((amounts.credits ?? 0) * part),
  };
}

class Ship implements Command {
  readonly seat: number;
  readonly times: number;
  constructor(seat: number, times: number) {
    this.seat = seat;
    this.times = times;
  }
  check = () => true;
  async run(model: Model, { seats }: Real): Promise<void> {
    const node = seats[this.seat]!;
    const again = [...node.settled];
    await node.ship();
    if (this.times > 1) {
      // A batch whose answer was lost is sent again.
      (node.settled as typeof again).push(...again);
      await node.ship();
    }
    model.unshipped[this.seat] = nothing();
    model.covered[this.seat] = nothing();
  }
  toString = () => `ship ${this.seat} ${this.times} times`;
}

class SetDailyLimit implements Command {
  readonly limit: number | null;
  constructor(limit: number | null) {
    this.limit = limit;
  }
  check = () => true;
  async run(model: Model, { database, nodes, payers }: Real): Promise<void> {
    model.limits.tokens_per_day = this.limit;
    await database.pool.query('UPDATE users SET daily_quota = $1 WHERE id = $2', [this.limit, payers.userId]);
    await nodes.heard();
  }
  toString = () => `limit the day to ${this.limit}`;
}

let entries = 0;

/** A top-up, a refund or an adjustment by hand, up or down. */
class MoveCredits implements Command {
  readonly kind: 'recharge' | 'refund' | 'adjustment' | 'penalty';
  readonly amount: number;
  constructor(kind: 'recharge' | 'refund' | 'adjustment' | 'penalty', amount: number) {
    this.kind = kind;
    this.amount = kind === 'penalty' ? -Math.abs(amount) : amount;
  }
  check = () => this.amount !== 0;
  async run(model: Model, real: Real): Promise<void> {
    // The ledger settles what goes out by hand as it settles what requests cost.
    if (this.amount > 0) model.limits.credits += this.amount;
    else model.used.credits -= this.amount;
    await moveCredits(real, this.kind, this.amount);
    await real.nodes.heard();
  }
  toString = () => `${this.kind} of ${this.amount}`;
}

async function moveCredits({ database, payers }: Real, kind: MoveCredits['kind'], amount: number) {
  const draft = {
    ...payers,
    kind,
    amount: BigInt(amount),
    source: `model/${entries++}`,
    description: 'x',
    actorId: null,
  };
  await createSystemDatabase(database.pool).transaction((tx) => postEntries(tx, [draft]));
}

/** kill -9: what the node holds is nobody's until its journal is replayed. */
class Kill implements Command {
  readonly seat: number;
  constructor(seat: number) {
    this.seat = seat;
  }
  check = () => true;
  async run(model: Model, real: Real): Promise<void> {
    const node = real.seats[this.seat]!;
    await node.book.whenQuiet();
    node.kill();
    const used = model.unshipped[this.seat]!;
    add(model.used, used, -1);
    for (const { amounts } of model.open.filter(({ seat }) => seat === this.seat))
      add(used, share(amounts, 0.5));
    model.open = model.open.filter(({ seat }) => seat !== this.seat);
    model.unshipped[this.seat] = nothing();
    model.covered[this.seat] = nothing();
    model.dead.push({
      real: node,
      used,
      blocked: await readLeases(real.database.pool, node.id),
      isReaped: false,
    });
    real.seats[this.seat] = await real.nodes.add(real.payers);
  }
  toString = () => `kill ${this.seat}`;
}

async function readLeases(pool: pg.Pool, nodeId: string): Promise<Sums> {
  const { rows } = await pool.query<{ kind: Kind; held: number }>(
    `SELECT kind, (granted - returned - spent)::int AS held FROM leases JOIN allowances ON id = allowance_id WHERE node_id = $1`,
    [nodeId],
  );
  return { ...nothing(), ...Object.fromEntries(rows.map(({ kind, held }) => [kind, held])) };
}

/** Ten minutes pass without the journals of those that were killed. */
class Expire implements Command {
  check = ({ dead }: Readonly<Model>) => dead.some(({ isReaped }) => !isReaped);
  async run(model: Model, { database }: Real): Promise<void> {
    const ids = model.dead.map(({ real }) => real.id);
    await database.pool.query(
      `UPDATE nodes SET expires_at = now() - interval '1 hour' WHERE id = ANY($1::uuid[])`,
      [ids],
    );
    await reapNodes(createSystemDatabase(database.pool));
    for (const node of model.dead) {
      node.isReaped = true;
      node.blocked.credits = 0;
    }
  }
  toString = () => 'expire';
}

class Replay implements Command {
  check = ({ dead }: Readonly<Model>) => dead.length > 0;
  run = (model: Model) => replay(model);
  toString = () => 'replay';
}

async function replay(model: Model): Promise<void> {
  const node = model.dead.shift()!;
  await node.real.replay(({ hold }) =>
    share(Object.fromEntries(hold!.parts.map(({ kind, amount }) => [kind, amount])), 0.5),
  );
  add(model.used, node.used);
}

/** After each step, what the database says must add up. */
class Check implements Command {
  check = () => true;
  run = (model: Model, real: Real) => checkSums(model, real);
  toString = () => 'check';
}

async function checkSums(model: Model, { database, payers }: Real): Promise<void> {
  const { rows } = await database.pool.query<{ kind: Kind; settled: number; leased: number; held: number }>(
    `SELECT kind, settled::int, leased::int, (SELECT coalesce(sum(granted - returned - spent), 0)::int
       FROM leases WHERE allowance_id = id AND NOT is_reaped) AS held
     FROM allowances WHERE subject_id IN ($1, $2) AND tenant_id = $2`,
    [payers.userId, payers.tenantId],
  );
  for (const { kind, settled, leased, held } of rows) {
    const shipped = model.used[kind] - model.unshipped[0][kind] - model.unshipped[1][kind];
    const lost = model.dead.reduce((sum, { blocked, isReaped }) => sum + (isReaped ? blocked[kind] : 0), 0);
    if (leased !== held) throw new Error(`${kind}: ${leased} are leased, ${held} are held`);
    if (settled !== shipped + lost) throw new Error(`${kind}: ${settled} are settled, not ${shipped + lost}`);
  }
}

const seat = fc.nat(1);
const amount = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 400 }));
const commands = fc.commands(
  [
    fc.tuple(seat, amount, amount).map((args) => new Take(...args)),
    fc.tuple(seat, amount, amount).map((args) => new Take(...args)),
    fc.tuple(fc.nat(20), fc.constantFrom(0, 0.3, 1, 1, 1.7)).map((args) => new End(...args)),
    fc.tuple(seat, fc.integer({ min: 1, max: 2 })).map((args) => new Ship(...args)),
    fc.oneof(fc.constant(null), fc.nat(3_000)).map((limit) => new SetDailyLimit(limit)),
    fc
      .tuple(
        fc.constantFrom('recharge' as const, 'refund' as const, 'penalty' as const),
        fc.integer({ min: 1, max: 2_000 }),
      )
      .map((args) => new MoveCredits(...args)),
    fc.integer({ min: -500, max: 500 }).map((by) => new MoveCredits('adjustment', by)),
    seat.map((place) => new Kill(place)),
    fc.constant(new Expire()),
    fc.constant(new Replay()),
    fc.constant(new Check()),
  ],
  { maxCommands: 40, size: 'max' },
);

const instant = { patienceMs: 2_000, intervalMs: 0, refusalMs: 0 };

export interface ModelRuns {
  readonly database: TestDatabase;
  readonly runs: number;
  readonly seed: number;
  /** How many sequences run side by side. */
  readonly lanes?: number;
}

/**
 * Random sequences of what happens to allowances on two nodes, against a model that only adds and subtracts: a request
 * is let in exactly when the model says so, and all sums agree. Rejects with the seed and the shortest sequence that fails.
 */
export async function checkAllowances({ database, runs, seed, lanes = 4 }: ModelRuns): Promise<void> {
  // All sequences lie in the same hour and day, however long they take.
  const nowMs = Date.now();
  const nodes = await createLeaseNodes({
    database,
    nowMs: () => nowMs,
    times: instant,
    connections: 2 * lanes,
  });
  try {
    const lane = (index: number) =>
      fc.assert(
        fc.asyncProperty(commands, (sequence) => runSequence(database, nodes, sequence)),
        { numRuns: Math.ceil(runs / lanes), seed: seed + index, endOnFailure: runs > 5_000 },
      );
    await Promise.all(Array.from({ length: lanes }, (_, index) => lane(index)));
  } finally {
    await nodes.close();
  }
}

let sequences = 0;

async function runSequence(
  database: TestDatabase,
  nodes: LeaseNodes,
  sequence: Iterable<Command>,
): Promise<void> {
  const name = `m${process.pid}-${sequences++}`;
  const tenantId = await addTenant(database.pool, name);
  const { userId } = await addPerson(database.pool, tenantId, 'user', `${name}@model.test`);
  await database.pool.query('UPDATE users SET requests_per_hour = $1, daily_quota = 900 WHERE id = $2', [
    hourLimit,
    userId,
  ]);
  const payers = { tenantId, userId };
  const real: Real = { database, nodes, payers, seats: [await nodes.add(payers), await nodes.add(payers)] };
  await moveCredits(real, 'recharge', 1_000);
  const model: Model = {
    limits: { requests_per_hour: hourLimit, tokens_per_day: 900, credits: 1_000 },
    used: nothing(),
    open: [],
    unshipped: [nothing(), nothing()],
    covered: [nothing(), nothing()],
    dead: [],
  };
  await fc.asyncModelRun(() => ({ model, real }), sequence);
  await windUp(model, real);
}

/** Everything ends and is shipped: then nothing is leased any more, and the ledger is the balance. */
async function windUp(model: Model, real: Real): Promise<void> {
  while (model.open.length > 0) await new End(0, 1).run(model, real);
  while (model.dead.length > 0) await replay(model);
  for (const place of [0, 1]) {
    await new Ship(place, 1).run(model, real);
    await real.seats[place]!.book.whenQuiet();
    real.seats[place]!.kill();
    await real.seats[place]!.replay();
  }
  await checkSums(model, real);
  const { rows } = await real.database.pool.query(
    `SELECT count(*) FILTER (WHERE leased <> 0)::int AS leasing, max(limit_amount - settled) FILTER (WHERE kind = 'credits')::int AS balance,
       (SELECT sum(amount)::int FROM ledger_entries WHERE tenant_id = $1) AS booked
     FROM allowances WHERE tenant_id = $1`,
    [real.payers.tenantId],
  );
  const balance = model.limits.credits - model.used.credits;
  const { leasing, balance: kept, booked } = rows[0];
  if (leasing > 0 || kept !== balance || booked !== balance)
    throw new Error(
      `${leasing} are still leased; the balance is ${kept}, the ledger ${booked}, and both should be ${balance}`,
    );
}
