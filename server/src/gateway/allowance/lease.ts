import { adaptSliceFactor, chooseSlice, leastSliceFactor, type Slice } from '#domain/allowance/slice.ts';
import type { Window } from '#domain/allowance/window.ts';
import type { AllowanceKey, LeaseState, OpenedLease } from './lease-queries.ts';

/**
 * What this node holds of one window of one allowance: a slice that the database has granted, spent in memory. Amounts
 * are whole numbers below 2^53.
 */
export class Lease {
  readonly key: AllowanceKey;
  readonly window: Window;
  /** What of the slice no request holds. */
  free = 0;
  /** How many requests hold some, and how much of the slice. */
  holders = 0;
  held = 0;
  /** What requests in flight of other nodes held when these were asked last. */
  heldElsewhere = 0;
  /** All that was ever given back; the database is told this total, so that telling it twice changes nothing. */
  returned = 0;
  /** Nobody is expected to take any more: the window is over, or nobody has for a while. */
  isRetired = false;
  /** What was asked last is not answered: the database may have granted more than is known here. */
  isAsked = false;
  lastUsedMs = 0;
  #sliceFactor = leastSliceFactor;
  #slicedAtMs = Number.NEGATIVE_INFINITY;
  /** Until when a refusal is remembered, in monotonic milliseconds. */
  refusedUntilMs = 0;
  #state: LeaseState | null = null;
  /** What is on its way back, where it can be asked for again. */
  #returning = 0;
  #refreshedInRound = -1;
  #requiredRound = 0;
  /** All that requests used beyond what they held; the database says how much of it is settled. */
  #overrun = 0;

  constructor(key: AllowanceKey, window: Window) {
    this.key = key;
    this.window = window;
  }

  /** What the database last said; `null` before it was asked. */
  get state(): LeaseState | null {
    return this.#state;
  }

  get isUnlimited(): boolean {
    return this.#state !== null && this.#state.limit === null;
  }

  /** What this node may count on: its own slice, and what nobody has leased as far as it knows. */
  get left(): number {
    if (!this.#state || this.isUnlimited) return Number.POSITIVE_INFINITY;
    return Math.max(0, this.free + this.#returning + this.#state.left - this.debt);
  }

  /** What was used beyond holds and is not settled yet: so much of the slice is kept for it. */
  get debt(): number {
    return Math.max(0, this.#overrun - (this.#state?.overrun ?? 0));
  }

  /** What of the slice requests may take, or other nodes. */
  get spare(): number {
    return this.isRetired ? this.free : Math.max(0, this.free - this.debt);
  }

  /** False from an announced change until the database has been asked again. */
  get isCurrent(): boolean {
    return this.#refreshedInRound >= this.#requiredRound;
  }

  /** Nothing of it is held, free or on its way. */
  get isDrained(): boolean {
    return this.holders === 0 && this.free === 0 && !this.isAsked;
  }

  wasRefreshedSince(round: number): boolean {
    return this.#refreshedInRound >= round;
  }

  canTake(amount: number): boolean {
    return this.isCurrent && (this.isUnlimited || this.spare >= amount);
  }

  /** Call only when `canTake`. Answers how much of the slice is held: nothing where nothing limits. */
  take(amount: number, nowMs: number): number {
    this.lastUsedMs = nowMs;
    this.holders++;
    if (this.isUnlimited) return 0;
    this.free -= amount;
    this.held += amount;
    return amount;
  }

  /** What to ask for when waiting requests lack so much; monotonic milliseconds. */
  chooseSlice(want: number, largest: number, nowMs: number): Slice {
    this.#sliceFactor = adaptSliceFactor(this.#sliceFactor, nowMs - this.#slicedAtMs);
    this.#slicedAtMs = nowMs;
    return chooseSlice(want, largest, this.#state?.left ?? 0, this.#sliceFactor);
  }

  /** Ends what `take` began; what was not used of the slice is free again. */
  release(leased: number, used: number): void {
    this.holders--;
    this.held -= leased;
    this.free += Math.max(0, leased - used);
    this.#overrun += Math.max(0, used - leased);
  }

  /** What requests in flight hold, here and at other nodes. */
  get heldInFlight(): number {
    return this.held + this.heldElsewhere;
  }

  /** Sets everything that is spare aside to be returned with the next statement. */
  returnSpare(): void {
    const { spare } = this;
    this.returned += spare;
    this.#returning += spare;
    this.free -= spare;
  }

  open(opened: OpenedLease, round: number): void {
    this.returned = opened.returned;
    this.#overrun = opened.overrun;
    this.#see(opened, round);
  }

  /** Takes in an answer; what it grants beyond what was known before is free. */
  refresh(state: LeaseState, round: number): void {
    this.free += state.granted - (this.#state?.granted ?? 0);
    this.#see(state, round);
  }

  /** Only an answer to a question of this round or a later one is good any more. */
  requireRound(round: number): void {
    this.#requiredRound = round;
  }

  #see(state: LeaseState, round: number): void {
    this.isAsked = false;
    this.#returning = 0;
    this.#state = state;
    this.#refreshedInRound = round;
  }
}
