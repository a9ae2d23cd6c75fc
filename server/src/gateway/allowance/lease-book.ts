import { setImmediate as nextTurn } from 'node:timers/promises';
import { isNearEnd } from '#domain/allowance/slice.ts';
import { type Fit, type Hold, type Subject, takeAll } from './hold.ts';
import type { Lease } from './lease.ts';
import { LeaseCache } from './lease-cache.ts';
import { countInFlight, type Demands, planLeaseChange, sumDemands } from './lease-demand.ts';
import type { LeaseDatabase } from './lease-queries.ts';
import { LimitReached, LimitsUnavailable } from './limit-error.ts';
import { freedMessage, Recalls, type RecallTimes, recallTimes, returnedMessage } from './recalls.ts';

export interface NodeIdentity {
  /** Changes if the node expires and registers again. */
  readonly id: string;
  /** Returns the database's wall-clock time. */
  nowMs(): number;
  /** Returns `false` if the node has been offline for so long that its leases may have expired. */
  isLive(): boolean;
}

/** Time after a failure during which requests that need the database are rejected immediately. */
const awayMs = 500;
/** Maximum number of rounds that a request may wait before it is rejected. */
const roundsMax = 20;

export interface BookTimes extends RecallTimes {
  readonly refusalMs: number;
}

export const bookTimes: BookTimes = { ...recallTimes, refusalMs: 1_000 };

interface WaitingRequest {
  readonly subjects: readonly Subject[];
  readonly fit: Fit;
  leases: readonly Lease[];
  /** First round of statements whose response may cause a rejection of the request. */
  sinceRound: number;
  rounds: number;
  /** Leases already recalled for this request. Each lease is recalled at most once. */
  readonly recalled: Set<Lease>;
  resolve(hold: Hold): void;
  reject(error: Error): void;
}

/**
 * Leases of this node. A request takes from all its allowances or from none. If the leased amounts suffice, no
 * statement is needed; otherwise, requests share one statement, and at most one statement is in flight.
 */
export class LeaseBook {
  readonly #database: LeaseDatabase;
  readonly #node: NodeIdentity;
  readonly #times: BookTimes;
  readonly #recalls: Recalls;
  readonly #cache = new LeaseCache((lease) => this.#returnSoon(lease));
  #nodeId: string;
  #waiting: WaitingRequest[] = [];
  #due = new Set<Lease>();
  #low = new Set<Lease>();
  /** Leases for missing allowances, such as the credits of a tenant that never received any. */
  readonly #missing = new Set<Lease>();
  /** First round whose response may confirm that an allowance does not exist. */
  #missingSinceRound = 0;
  /** Leases recalled by other nodes, with the first round whose response may be the reply. */
  #recalled = new Map<Lease, number>();
  #round = 0;
  #running: Promise<void> | null = null;
  #awayUntilMs = 0;

  constructor(database: LeaseDatabase, node: NodeIdentity, times = bookTimes) {
    this.#database = database;
    this.#times = times;
    this.#node = node;
    this.#nodeId = node.id;
    this.#recalls = new Recalls((message) => database.announce([message]), times);
  }

  /**
   * Takes the amounts that `fit` returns for each subject. Returns synchronously if no statement is needed.
   * @throws LimitReached, LimitsUnavailable
   */
  admit(subjects: readonly Subject[], fit: Fit): Hold | Promise<Hold> {
    this.#renewIdentity();
    if (!this.#node.isLive()) throw new LimitsUnavailable();
    const nowMs = this.#node.nowMs();
    const leases = subjects.map((subject) => this.#cache.find(subject, nowMs));
    const missing = leases.find(isKnownMissing);
    if (missing) throw limitReached(missing, 0);
    const fitted = fit(leases.map(leftOf), countInFlight(leases));
    if ('amounts' in fitted) {
      const hold = takeAll(this.#nodeId, leases, fitted.amounts, nowMs);
      if (hold) {
        for (const lease of leases) if (lease.isRunningLow) this.#renewSoon(lease);
        return hold;
      }
    } else {
      const lease = leases[fitted.lacking];
      if (lease && performance.now() < lease.refusedUntilMs) throw limitReached(lease, fitted.amount);
    }
    if (performance.now() < this.#awayUntilMs) throw new LimitsUnavailable();
    return this.#wait(subjects, fit, leases);
  }

  /** Releases a hold. `used` is the amount used of each part. */
  settle({ nodeId, parts }: Hold, used: readonly number[]): void {
    for (let index = 0; index < parts.length; index++) {
      const part = parts[index];
      part?.lease.release(part.leased, used[index] ?? 0);
      if (part && nodeId === this.#nodeId) this.#afterRelease(part.lease, part.amount);
    }
  }

  /** Handles a message sent to all nodes: `allowances:<id>` for a changed limit, and recalls between nodes. */
  onNotification(message: string): void {
    const [topic, allowanceId = '', sender, held] = message.split(':');
    const lease = this.#cache.findByAllowance(allowanceId);
    if (!lease && topic === 'allowances') this.#forgetMissing();
    if (!lease || sender === this.#nodeId) return;
    if (topic === 'allowances' || topic === 'returned' || topic === 'freed') lease.refusedUntilMs = 0;
    if (topic === 'returned') this.#recalls.onReturned(allowanceId, Number(held));
    if (topic === 'recall') this.#onRecall(lease);
    if (topic !== 'allowances' && topic !== 'recall') return;
    // A response in flight may be older than the change.
    if (topic === 'allowances') lease.requireRound(this.#round + 1);
    this.#returnSoon(lease);
  }

  #onRecall(lease: Lease): void {
    this.#recalled.set(lease, this.#round + 1);
    lease.wantedUntilMs = performance.now() + this.#times.refusalMs;
  }

  sweep(): void {
    this.#renewIdentity();
    this.#cache.sweep(this.#node.nowMs());
    this.#missing.clear();
    if (this.#due.size > 0) this.#start();
  }

  async whenQuiet(): Promise<void> {
    while (this.#running) await this.#running;
  }

  #wait(subjects: readonly Subject[], fit: Fit, leases: readonly Lease[]): Promise<Hold> {
    const { promise, resolve, reject } = Promise.withResolvers<Hold>();
    const sinceRound = this.#round + 1;
    const recalled = new Set<Lease>();
    this.#waiting.push({ subjects, fit, leases, sinceRound, rounds: 0, recalled, resolve, reject });
    this.#start();
    return promise;
  }

  /** Leases the amount used beyond the hold immediately, so that other nodes cannot use it again. */
  #afterRelease(lease: Lease, amount: number): void {
    if (!lease.isUnlimited && !lease.isRetired && lease.debt > lease.free) this.#returnSoon(lease);
    else this.#returnIfAhead(lease, amount);
  }

  /** Returns spare amounts when the allowance is nearly exhausted, since other nodes may need them now. */
  #returnIfAhead(lease: Lease, amount: number): void {
    if (lease.spare > 0 && (lease.isRetired || isNearEnd(lease.left, amount))) this.#returnSoon(lease);
  }

  #returnSoon(lease: Lease): void {
    this.#due.add(lease);
    this.#start();
  }

  #renewSoon(lease: Lease): void {
    this.#low.add(lease);
    this.#start();
  }

  /** Starts a statement at the end of this event-loop turn, so that all requests of the turn share the statement. */
  #start(): void {
    this.#running ??= nextTurn().then(() => this.#run());
  }

  async #run(): Promise<void> {
    let isAway = false;
    while (!isAway && (this.#waiting.length > 0 || this.#due.size > 0 || this.#low.size > 0)) {
      const waiting = this.#waiting.splice(0);
      const [due, low] = [this.#due, this.#low];
      this.#due = new Set();
      this.#low = new Set();
      try {
        const demands = await this.#ask(waiting, due, low);
        for (const request of waiting) this.#decide(request, demands);
        for (const [lease, { largest }] of demands) this.#returnIfAhead(lease, largest);
      } catch (cause) {
        isAway = true;
        this.#awayUntilMs = performance.now() + awayMs;
        // The effect of the failed statement is unknown. The totals sent with the next statement correct the state.
        for (const lease of due) this.#due.add(lease);
        for (const { leases } of waiting) for (const lease of leases) this.#due.add(lease);
        for (const { reject } of waiting) reject(new LimitsUnavailable(cause));
      }
    }
    this.#running = null;
  }

  async #ask(
    waiting: readonly WaitingRequest[],
    due: ReadonlySet<Lease>,
    low: ReadonlySet<Lease>,
  ): Promise<Demands> {
    this.#renewIdentity();
    const nodeId = this.#nodeId;
    const round = ++this.#round;
    for (const request of waiting) {
      request.rounds++;
      request.leases = request.subjects.map((subject) => this.#cache.find(subject, this.#node.nowMs()));
    }
    await this.#open(nodeId, new Set(waiting.flatMap(({ leases }) => leases)), round);
    const demands = sumDemands(waiting);
    const freed = await this.#change(nodeId, demands, due, low, round);
    await this.#announceReturns(nodeId, freed);
    return demands;
  }

  /**
   * Replies to recalls, once a statement sent after the recall has a response and no spare amount is left to return.
   * Other nodes that received too little are notified of the leases in `freed`; otherwise, this node would always
   * take those amounts first.
   */
  async #announceReturns(nodeId: string, freed: readonly Lease[]): Promise<void> {
    const messages = freed.flatMap(({ state }) => (state ? freedMessage(state.allowanceId, nodeId) : []));
    for (const [lease, round] of this.#recalled) {
      if (!lease.state || !lease.wasRefreshedSince(round) || (this.#due.has(lease) && lease.spare > 0))
        continue;
      messages.push(returnedMessage(lease.state.allowanceId, nodeId, lease.held));
      this.#recalled.delete(lease);
    }
    if (messages.length > 0) await this.#database.announce(messages).catch(() => undefined);
  }

  async #open(nodeId: string, leases: ReadonlySet<Lease>, round: number): Promise<void> {
    const closed = [...leases].filter(({ state }) => state === null);
    if (closed.length === 0) return;
    const opened = await this.#database.open(
      nodeId,
      closed.map(({ key }) => key),
    );
    for (const one of opened) {
      const lease = closed[one.index];
      lease?.open(one, round);
      if (lease) this.#cache.index(lease);
    }
  }

  async #change(
    nodeId: string,
    demands: Demands,
    due: ReadonlySet<Lease>,
    low: ReadonlySet<Lease>,
    round: number,
  ): Promise<readonly Lease[]> {
    const asked = new Map<string, Lease>();
    const freed: Lease[] = [];
    const nowMs = performance.now();
    const stillLow = [...low].filter((lease) => lease.isRunningLow);
    const changes = [...new Set([...demands.keys(), ...due, ...stillLow])].flatMap((lease) => {
      const { returned } = lease;
      const change = planLeaseChange(lease, demands.get(lease), due.has(lease), nowMs);
      if (!change) return [];
      if (lease.returned > returned && nowMs < lease.wantedUntilMs) freed.push(lease);
      lease.isAsked = true;
      asked.set(change.allowanceId, lease);
      return change;
    });
    if (changes.length === 0) return freed;
    for (const state of await this.#database.change(nodeId, changes)) {
      const lease = asked.get(state.allowanceId);
      lease?.refresh(state, round);
      const isKept = lease && !lease.isRetired && (demands.has(lease) || !due.has(lease));
      if (lease && !isKept && lease.spare > 0) this.#due.add(lease);
    }
    return freed;
  }

  #decide(request: WaitingRequest, demands: Demands): void {
    const { fit, leases } = request;
    const waitingToo = Math.max(...leases.map((lease) => demands.get(lease)?.requests ?? 1)) - 1;
    const missing = leases.find(({ state }) => state === null);
    const fitted = fit(
      leases.map(({ left }) => left),
      Math.max(countInFlight(leases), waitingToo),
    );
    const lacking = 'lacking' in fitted ? leases[fitted.lacking] : undefined;
    if (request.rounds > roundsMax) request.reject(new LimitsUnavailable());
    else if (missing) this.#decideMissing(request, missing);
    else if (lacking && 'lacking' in fitted) this.#decideLack(request, lacking, fitted.amount);
    else if ('amounts' in fitted) {
      const hold = takeAll(this.#nodeId, leases, fitted.amounts, this.#node.nowMs());
      if (hold) request.resolve(hold);
      else this.#waitAgain(request);
    }
  }

  #decideMissing(request: WaitingRequest, lease: Lease): void {
    if (this.#round < this.#missingSinceRound) this.#waitAgain(request);
    else this.#refuse(request, lease, 0);
  }

  #decideLack(request: WaitingRequest, lease: Lease, amount: number): void {
    const { state } = lease;
    // A response older than the request or than an announced change must not cause a rejection.
    if (!state || !lease.isCurrent || !lease.wasRefreshedSince(request.sinceRound)) {
      this.#waitAgain(request);
    } else if (state.otherHolders === 0 || request.recalled.has(lease)) {
      if (state.otherHolders === 0) lease.heldElsewhere = 0;
      this.#refuse(request, lease, amount);
    } else {
      request.recalled.add(lease);
      void this.#recalls.recall(state.allowanceId, this.#nodeId, state.otherHolders).then((heldElsewhere) => {
        lease.heldElsewhere = heldElsewhere;
        request.sinceRound = this.#round + 1;
        this.#waitAgain(request);
      });
    }
  }

  #refuse({ reject }: WaitingRequest, lease: Lease, amount: number): void {
    if (!lease.state) this.#missing.add(lease);
    lease.refusedUntilMs = performance.now() + this.#times.refusalMs;
    reject(limitReached(lease, amount));
  }

  #forgetMissing(): void {
    this.#missingSinceRound = this.#round + 1;
    for (const lease of this.#missing) lease.refusedUntilMs = 0;
    this.#missing.clear();
  }

  #waitAgain(request: WaitingRequest): void {
    this.#waiting.push(request);
    this.#start();
  }

  #renewIdentity(): void {
    if (this.#node.id === this.#nodeId) return;
    this.#nodeId = this.#node.id;
    this.#cache.clear();
    this.#due.clear();
    this.#low.clear();
    this.#recalled.clear();
  }
}

const leftOf = ({ left }: Lease) => left;

function isKnownMissing({ refusedUntilMs, state }: Lease): boolean {
  return !state && performance.now() < refusedUntilMs;
}

function limitReached(lease: Lease, amount: number): LimitReached {
  const left = lease.state ? Math.max(0, lease.left) : 0;
  return new LimitReached({
    kind: lease.key.kind,
    subjectId: lease.key.subjectId,
    limit: lease.state?.limit ?? 0,
    isMissing: lease.state === null,
    settled: lease.state?.settled ?? 0,
    left,
    amount,
    resetsAtMs: lease.window.endMs,
    isHeldInFlight: lease.heldInFlight > 0 && amount <= left + lease.heldInFlight,
  });
}
