import { createPeriodFinder } from '#domain/allowance/period.ts';
import { type AllowanceKind, allowanceKinds, createWindowFinder } from '#domain/allowance/window.ts';
import type { Subject } from './hold.ts';
import { Lease } from './lease.ts';
import type { AllowanceKey } from './lease-queries.ts';

const idleMs = 30_000;

/** This node's leases, one per subject and window. A lease is kept until nothing of it is held. */
export class LeaseCache {
  readonly #findWindow = createWindowFinder();
  readonly #findPeriodWindow = createPeriodFinder();
  readonly #current = new Map<AllowanceKind, Map<number, Lease>>(
    allowanceKinds.map((kind) => [kind, new Map()]),
  );
  readonly #all = new Map<string, Lease>();
  readonly #byAllowance = new Map<string, Lease>();
  readonly #onRetired: (lease: Lease) => void;

  /** `onRetired` is called with each lease that must no longer be used, to return its free amount. */
  constructor(onRetired: (lease: Lease) => void) {
    this.#onRetired = onRetired;
  }

  /** Returns the lease of the subject's current window, or a new empty lease. */
  find({ kind, subjectId, timeZone, period }: Subject, nowMs: number): Lease {
    const window = period
      ? this.#findPeriodWindow(period, nowMs, timeZone)
      : this.#findWindow(kind, nowMs, timeZone);
    const current = this.#current.get(kind)?.get(subjectId);
    if (current?.window.startMs === window.startMs) return current;
    if (current) this.#retire(current);
    const key = { kind, subjectId, windowStartMs: window.startMs };
    const lease = this.#all.get(format(key)) ?? new Lease(key, window);
    lease.isRetired = false;
    lease.lastUsedMs = nowMs;
    this.#all.set(format(key), lease);
    this.#current.get(kind)?.set(subjectId, lease);
    return lease;
  }

  findByAllowance(allowanceId: string): Lease | undefined {
    return this.#byAllowance.get(allowanceId);
  }

  index(lease: Lease): void {
    if (lease.state) this.#byAllowance.set(lease.state.allowanceId, lease);
  }

  /** Retires leases that are idle or whose window is over. Drops leases with nothing left to return. */
  sweep(nowMs: number): void {
    for (const lease of this.#all.values()) {
      const isIdle = lease.holders === 0 && lease.lastUsedMs + idleMs < nowMs;
      if (lease.isRetired && lease.isDrained) this.#forget(lease);
      else if (!lease.isRetired && (isIdle || lease.window.endMs <= nowMs)) this.#retire(lease);
    }
  }

  /** Call when the node that held the leases has expired. */
  clear(): void {
    for (const leases of this.#current.values()) leases.clear();
    this.#all.clear();
    this.#byAllowance.clear();
  }

  #retire(lease: Lease): void {
    const { kind, subjectId } = lease.key;
    lease.isRetired = true;
    const leases = this.#current.get(kind);
    if (leases?.get(subjectId) === lease) leases.delete(subjectId);
    this.#onRetired(lease);
  }

  #forget(lease: Lease): void {
    this.#all.delete(format(lease.key));
    if (lease.state) this.#byAllowance.delete(lease.state.allowanceId);
  }
}

function format({ kind, subjectId, windowStartMs }: AllowanceKey): string {
  return `${kind}:${subjectId}:${windowStartMs}`;
}
