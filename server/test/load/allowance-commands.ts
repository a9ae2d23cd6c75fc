import fc from 'fast-check';
import { createSystemDatabase } from '#db/system.ts';
import { expireNodes } from '#gateway/allowance/expired-nodes.ts';
import { LimitReached } from '#gateway/allowance/limit-error.ts';
import { postEntries } from '#ledger/post.ts';
import {
  add,
  type Command,
  checkSums,
  findFree,
  kinds,
  type Model,
  nothing,
  type Real,
  readHeld,
  readLeases,
  share,
} from './allowance-model.ts';
import type { Amounts, HeldRequest } from './lease-nodes.ts';

class Take implements Command {
  readonly seat: number;
  readonly amounts: Amounts;
  constructor(seat: number, tokens: number, credits: number) {
    this.seat = seat;
    this.amounts = { requests_per_hour: 1, tokens_per_day: tokens, credits };
  }
  check = () => true;
  async run(model: Model, { seats }: Real): Promise<void> {
    const free = new Map(kinds.map((kind) => [kind, findFree(model, kind, this.seat)]));
    const lacks = (bound: 'least' | 'most') =>
      kinds.find((kind) => (this.amounts[kind] ?? 0) > (free.get(kind)?.[bound] ?? 0));
    const outcome = await seats[this.seat]!.take(this.amounts).catch((error: unknown) => error);
    if (outcome instanceof LimitReached) {
      if (!lacks('least'))
        throw new Error(`rejected by ${outcome.facts.kind}, although it fits`, { cause: outcome });
      return;
    }
    if (outcome instanceof Error) throw outcome;
    const lacking = lacks('most');
    if (lacking) throw new Error(`admitted beyond the limit of ${lacking}`);
    // safe because all other results of `take` are handled above
    model.open.push({ amounts: this.amounts, seat: this.seat, real: outcome as HeldRequest });
  }
  toString = () => `take ${JSON.stringify(this.amounts)} at ${this.seat}`;
}

export class End implements Command {
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

export class Ship implements Command {
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

class MoveCredits implements Command {
  readonly kind: 'recharge' | 'refund' | 'adjustment' | 'penalty';
  readonly amount: number;
  constructor(kind: 'recharge' | 'refund' | 'adjustment' | 'penalty', amount: number) {
    this.kind = kind;
    this.amount = kind === 'penalty' ? -Math.abs(amount) : amount;
  }
  check = () => this.amount !== 0;
  async run(model: Model, real: Real): Promise<void> {
    // The ledger settles manual deductions like the cost of requests.
    if (this.amount > 0) model.limits.credits += this.amount;
    else model.used.credits -= this.amount;
    await moveCredits(real, this.kind, this.amount);
    await real.nodes.heard();
  }
  toString = () => `${this.kind} of ${this.amount}`;
}

export async function moveCredits({ database, payers }: Real, kind: MoveCredits['kind'], amount: number) {
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

/** Kills a node with SIGKILL. Its holds are unavailable until its journal is replayed. */
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
    const { held: blocked, overrun } = await readLeases(real.database.pool, node.id);
    model.dead.push({ real: node, used, blocked, overrun, isReaped: false });
    real.seats[this.seat] = await real.nodes.add(real.payers);
  }
  toString = () => `kill ${this.seat}`;
}

class Expire implements Command {
  check = ({ dead }: Readonly<Model>) => dead.some(({ isReaped }) => !isReaped);
  async run(model: Model, { database }: Real): Promise<void> {
    const ids = model.dead.map(({ real }) => real.id);
    await database.pool.query(
      `UPDATE nodes SET expires_at = now() - interval '1 hour' WHERE id = ANY($1::uuid[])`,
      [ids],
    );
    await expireNodes(createSystemDatabase(database.pool));
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

export async function replay(model: Model): Promise<void> {
  const node = model.dead.shift()!;
  await node.real.replay(({ hold }) =>
    share(Object.fromEntries(hold!.parts.map(({ kind, amount }) => [kind, amount])), 0.5),
  );
  add(model.used, node.used);
}

class Check implements Command {
  check = () => true;
  run = (model: Model, real: Real) => checkSums(model, real);
  toString = () => 'check';
}

const seat = fc.nat(1);
const amount = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 400 }));
export const commands = fc.commands(
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
