import { type AllowanceKind, allowanceKinds } from '#domain/allowance/kind.ts';
import { createWindowFinder } from '#domain/allowance/window.ts';
import type { Subject } from './hold.ts';
import { Lease } from './lease.ts';
import type { AllowanceKey } from './lease-queries.ts';

/** For how long a lease that nobody uses is kept. */
const idleMs = 30_000;

/** This node's leases, one object for each window of each allowance for as long as anything of it is held. */
export class LeaseCache {
  readonly #findWindow = createWindowFinder();
  /** Those of the running windows, by subject. */
  readonly #current = new Map<AllowanceKind, Map<number, Lease>>(
    allowanceKinds.map((kind) => [kind, new Map()]),
  );
  readonly #all = new Map<string, Lease>();
  readonly #byAllowance = new Map<string, Lease>();
  readonly #onRetired: (lease: Lease) => void;

  /** `onRetired` gets each lease that is not to be used any more: what is free of it is to be given back. */
  constructor(onRetired: (lease: Lease) => void) {
    this.#onRetired = onRetired;
  }

  /** The lease of a subject's running window, an empty one where there was none. */
  find({ kind, subjectId, timeZone }: Subject, nowMs: number): Lease {
    const window = this.#findWindow(kind, nowMs, timeZone);
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

  /** Call once the database has told which allowance a lease is of. */
  index(lease: Lease): void {
    if (lease.state) this.#byAllowance.set(lease.state.allowanceId, lease);
  }

  /** Retires what is idle or whose window is over, and forgets what is drained. */
  sweep(nowMs: number): void {
    for (const lease of this.#all.values()) {
      const isIdle = lease.holders === 0 && lease.lastUsedMs + idleMs < nowMs;
      if (lease.isRetired && lease.isDrained) this.#forget(lease);
      else if (!lease.isRetired && (isIdle || lease.window.endMs <= nowMs)) this.#retire(lease);
    }
  }

  /** Forgets everything: what was leased belongs to a node that is no more. */
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
