import type { AllowanceKind } from '#domain/allowance/kind.ts';
import type { Lease } from './lease.ts';

/** An allowance that a request takes from. */
export interface Subject {
  readonly kind: AllowanceKind;
  /** The user, the task assignment or, for credits, the tenant. */
  readonly subjectId: number;
  readonly timeZone: string;
}

/** What a request takes of each of its subjects, in their order; or which of them has less than the least it needs. */
export type Fitted =
  | { readonly amounts: readonly number[] }
  | { readonly lacking: number; readonly amount: number };

/**
 * How much a request takes, given what is left of each subject and how many other requests take from the same; called
 * again whenever that has changed.
 */
export type Fit = (left: readonly number[], inFlight: number) => Fitted;

/** One allowance's part of a hold. */
export interface HeldPart {
  readonly lease: Lease;
  /** What the request may use. */
  readonly amount: number;
  /** What of the node's slice is set aside for it: nothing where nothing limits. */
  readonly leased: number;
}

/** What a request has taken until it ends, from the windows it was admitted in. */
export interface Hold {
  readonly nodeId: string;
  /** In the order of its subjects. */
  readonly parts: readonly HeldPart[];
}

/** Takes from all leases or from none; `null` when one of them does not hold enough. */
export function takeAll(
  nodeId: string,
  leases: readonly Lease[],
  amounts: readonly number[],
  nowMs: number,
): Hold | null {
  const pairs = leases.map((lease, index) => ({ lease, amount: amounts[index] ?? 0 }));
  if (!pairs.every(({ lease, amount }) => lease.canTake(amount))) return null;
  return { nodeId, parts: pairs.map((pair) => ({ ...pair, leased: pair.lease.take(pair.amount, nowMs) })) };
}
