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
 * Part of one allowance window that this node may spend in memory, requested from the database in slices. Amounts are
 * whole numbers below 2^53.
 */
export class Lease {
  readonly key: AllowanceKey;
  readonly window: Window;
  free = 0;
  holders = 0;
  held = 0;
  /** Amount in the holds of other nodes' requests, as of the last recall. */
  heldElsewhere = 0;
  /** Sending the total ever returned makes repeated statements idempotent. */
  returned = 0;
  /** True if no more requests are expected, because the window is over or the lease is idle. */
  isRetired = false;
  /**
   * True if the last statement has no response yet, so that the database may have granted more than this node has
   * seen.
   */
  isAsked = false;
  lastUsedMs = 0;
  #sliceFactor = leastSliceFactor;
  #lastAsked = { want: 0, largest: 0, slice: 0 };
  /** True if the last slice was granted and no other slice has been requested since. */
  #isRenewable = false;
  #slicedAtMs = Number.NEGATIVE_INFINITY;
  /** A rejection is remembered until this time, in monotonic milliseconds. */
  refusedUntilMs = 0;
  /** Another node may still need the amount it recalled until this time, in monotonic milliseconds. */
  wantedUntilMs = 0;
  #state: LeaseState | null = null;
  /** Amount being returned, which this node could still lease again. */
  #returning = 0;
  #refreshedInRound = -1;
  #requiredRound = 0;
  /** Total usage beyond holds. The database reports which part of this total is settled. */
  #overrun = 0;

  constructor(key: AllowanceKey, window: Window) {
    this.key = key;
    this.window = window;
  }

  /** `null` before the first response. */
  get state(): LeaseState | null {
    return this.#state;
  }

  get isUnlimited(): boolean {
    return this.#state !== null && this.#state.limit === null;
  }

  /** Amount available to this node: its free slice and the unleased rest, as of the last response. */
  get left(): number {
    if (!this.#state || this.isUnlimited) return Number.POSITIVE_INFINITY;
    // A budget of 0 also rejects requests that cost nothing.
    if (this.#state.limit === 0 && isBudget(this.key.kind)) return -1;
    return Math.max(0, this.free + this.#returning + this.#state.left - this.debt);
  }

  /** Unsettled usage beyond holds. The same amount of the slice is reserved for it. */
  get debt(): number {
    return Math.max(0, this.#overrun - (this.#state?.overrun ?? 0));
  }

  get spare(): number {
    return this.isRetired ? this.free : Math.max(0, this.free - this.debt);
  }

  get isCurrent(): boolean {
    return this.#refreshedInRound >= this.#requiredRound;
  }

  get isDrained(): boolean {
    return this.holders === 0 && this.free === 0 && !this.isAsked;
  }

  wasRefreshedSince(round: number): boolean {
    return this.#refreshedInRound >= round;
  }

  canTake(amount: number): boolean {
    return this.isCurrent && (this.isUnlimited || this.spare >= amount);
  }

  /** Reserves an amount and returns the part taken from the slice, 0 if unlimited. Requires `canTake`. */
  take(amount: number, nowMs: number): number {
    this.lastUsedMs = nowMs;
    this.holders++;
    if (this.isUnlimited) return 0;
    this.free -= amount;
    this.held += amount;
    return amount;
  }

  /** Returns the slice to request when waiting requests lack `want`. `nowMs` is monotonic. */
  chooseSlice(want: number, largest: number, nowMs: number): Slice {
    this.#sliceFactor = adaptSliceFactor(this.#sliceFactor, nowMs - this.#slicedAtMs);
    this.#slicedAtMs = nowMs;
    this.#isRenewable = false;
    const slice = chooseSlice(want, largest, this.#state?.left ?? 0, this.#sliceFactor);
    this.#lastAsked = { want, largest, slice: slice.amount };
    return slice;
  }

  /** Whether to request the next slice now, so that later requests need not wait. */
  get isRunningLow(): boolean {
    const { largest, slice } = this.#lastAsked;
    const canRenew = this.#isRenewable && this.isCurrent && !this.isRetired;
    return canRenew && isRunningLow(this.spare, slice) && !isNearEnd(this.left, largest);
  }

  /** Returns the slice to request before the current slice is used up, based on the last requests that waited. */
  renewSlice(nowMs: number): Slice {
    const { largest, want } = this.#lastAsked;
    return this.chooseSlice(want, largest, nowMs);
  }

  /** Settles a hold. Usage beyond the hold becomes debt. */
  release(leased: number, used: number): void {
    this.holders--;
    this.held -= leased;
    this.free += Math.max(0, leased - used);
    this.#overrun += Math.max(0, used - leased);
  }

  get heldInFlight(): number {
    return this.held + this.heldElsewhere;
  }

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

  refresh(state: LeaseState, round: number): void {
    const gained = state.granted - (this.#state?.granted ?? 0);
    this.free += gained;
    this.#isRenewable ||= gained > 0;
    this.#see(state, round);
  }

  /** Ignores responses to statements before this round. */
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
