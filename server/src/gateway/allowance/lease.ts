import {
  adaptSliceFactor,
  chooseSlice,
  isNearEnd,
  isRunningLow,
  leastSliceFactor,
  type Slice,
} from '#domain/allowance/slice.ts';
import { isBudget, type Window } from '#domain/allowance/window.ts';
import type { AllowanceKey, LeaseState, OpenedLease } from './lease-queries.ts';

/**
 * This node's part of one window of an allowance: a slice granted by the database and spent in memory. Amounts are
 * whole numbers below 2^53.
 */
export class Lease {
  readonly key: AllowanceKey;
  readonly window: Window;
  /** Part of the slice that no request holds. */
  free = 0;
  /** Number of requests with a hold, and the part of the slice that they hold. */
  holders = 0;
  held = 0;
  /** Amount held by requests in flight on other nodes at the last recall. */
  heldElsewhere = 0;
  /** Total ever returned. The database receives this total, so that repeating it changes nothing. */
  returned = 0;
  /** Whether no more requests are expected, because the window is over or the lease was idle. */
  isRetired = false;
  /** Whether the last statement is unanswered, so that the database may have granted more than is known here. */
  isAsked = false;
  lastUsedMs = 0;
  #sliceFactor = leastSliceFactor;
  /** Amounts that waiting requests lacked when the last slice was requested, and the size of that slice. */
  #lastAsked = { want: 0, largest: 0, slice: 0 };
  /** Whether the last slice was granted and no other has been requested since. */
  #isRenewable = false;
  #slicedAtMs = Number.NEGATIVE_INFINITY;
  /** Until when a rejection is remembered, in monotonic milliseconds. */
  refusedUntilMs = 0;
  /** Until when another node may still need the amount it recalled, in monotonic milliseconds. */
  wantedUntilMs = 0;
  #state: LeaseState | null = null;
  /** Amount being returned, which could still be leased again. */
  #returning = 0;
  #refreshedInRound = -1;
  #requiredRound = 0;
  /** Total usage beyond holds; the database reports how much of it is settled. */
  #overrun = 0;

  constructor(key: AllowanceKey, window: Window) {
    this.key = key;
    this.window = window;
  }

  /** State last reported by the database; `null` before the first response. */
  get state(): LeaseState | null {
    return this.#state;
  }

  get isUnlimited(): boolean {
    return this.#state !== null && this.#state.limit === null;
  }

  /** Amount available to this node: its own slice and the unleased rest, as far as known. */
  get left(): number {
    if (!this.#state || this.isUnlimited) return Number.POSITIVE_INFINITY;
    // A budget of 0 does not even admit requests that cost nothing.
    if (this.#state.limit === 0 && isBudget(this.key.kind)) return -1;
    return Math.max(0, this.free + this.#returning + this.#state.left - this.debt);
  }

  /** Unsettled usage beyond holds; the same amount of the slice is kept for it. */
  get debt(): number {
    return Math.max(0, this.#overrun - (this.#state?.overrun ?? 0));
  }

  /** Part of the slice available to requests or other nodes. */
  get spare(): number {
    return this.isRetired ? this.free : Math.max(0, this.free - this.debt);
  }

  /** Whether the database has responded since the last announced change. */
  get isCurrent(): boolean {
    return this.#refreshedInRound >= this.#requiredRound;
  }

  /** True if no amount is held or free, and no statement is in flight. */
  get isDrained(): boolean {
    return this.holders === 0 && this.free === 0 && !this.isAsked;
  }

  wasRefreshedSince(round: number): boolean {
    return this.#refreshedInRound >= round;
  }

  canTake(amount: number): boolean {
    return this.isCurrent && (this.isUnlimited || this.spare >= amount);
  }

  /** Reserves an amount and returns how much of the slice is held, 0 if unlimited. Requires `canTake`. */
  take(amount: number, nowMs: number): number {
    this.lastUsedMs = nowMs;
    this.holders++;
    if (this.isUnlimited) return 0;
    this.free -= amount;
    this.held += amount;
    return amount;
  }

  /** Returns how much to request when waiting requests lack `want`. `nowMs` is monotonic. */
  chooseSlice(want: number, largest: number, nowMs: number): Slice {
    this.#sliceFactor = adaptSliceFactor(this.#sliceFactor, nowMs - this.#slicedAtMs);
    this.#slicedAtMs = nowMs;
    this.#isRenewable = false;
    const slice = chooseSlice(want, largest, this.#state?.left ?? 0, this.#sliceFactor);
    this.#lastAsked = { want, largest, slice: slice.amount };
    return slice;
  }

  /** Whether to request the next slice now, so that later requests need not wait for it. */
  get isRunningLow(): boolean {
    const { largest, slice } = this.#lastAsked;
    const canRenew = this.#isRenewable && this.isCurrent && !this.isRetired;
    return canRenew && isRunningLow(this.spare, slice) && !isNearEnd(this.left, largest);
  }

  /** Returns how much to request before the slice is used up, based on the last requests that waited. */
  renewSlice(nowMs: number): Slice {
    const { largest, want } = this.#lastAsked;
    return this.chooseSlice(want, largest, nowMs);
  }

  /** Releases an amount from `take`; the unused part of the slice is free again. */
  release(leased: number, used: number): void {
    this.holders--;
    this.held -= leased;
    this.free += Math.max(0, leased - used);
    this.#overrun += Math.max(0, used - leased);
  }

  /** Amount held by requests in flight, here and on other nodes. */
  get heldInFlight(): number {
    return this.held + this.heldElsewhere;
  }

  /** Marks the spare amount to be returned with the next statement. */
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

  /** Applies a response; newly granted amounts are free. */
  refresh(state: LeaseState, round: number): void {
    const gained = state.granted - (this.#state?.granted ?? 0);
    this.free += gained;
    this.#isRenewable ||= gained > 0;
    this.#see(state, round);
  }

  /** Accepts only responses to statements of this round or a later one. */
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
