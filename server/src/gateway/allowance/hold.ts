import type { Period } from '#domain/allowance/period.ts';
import type { AllowanceKind } from '#domain/allowance/window.ts';
import type { Lease } from './lease.ts';

export interface Subject {
  readonly kind: AllowanceKind;
  /** Id of the user, the task assignment, the budget or, for credits, the tenant. */
  readonly subjectId: number;
  readonly timeZone: string;
  /** Period of a budget. Other kinds have a fixed period. */
  readonly period?: Period;
}

/**
 * Amounts to take from the subjects, in their order. If a subject has too little left, `lacking` is its index and
 * `amount` the minimum that the request needs.
 */
export type Fitted =
  | { readonly amounts: readonly number[] }
  | { readonly lacking: number; readonly amount: number };

/**
 * Decides how much a request takes, given each subject's remaining amount and the number of other requests in flight.
 * Called for each try, since both change.
 */
export type Fit = (left: readonly number[], inFlight: number) => Fitted;

export interface HeldPart {
  readonly lease: Lease;
  readonly amount: number;
  /** Amount reserved from the node's slice; 0 if the allowance is unlimited. */
  readonly leased: number;
}

export interface Hold {
  readonly nodeId: string;
  readonly parts: readonly HeldPart[];
}

/** Takes the amounts from all leases or from none. Returns `null` if any lease has too little. */
export function takeAll(
  nodeId: string,
  leases: readonly Lease[],
  amounts: readonly number[],
  nowMs: number,
): Hold | null {
  if (!leases.every((lease, index) => lease.canTake(amounts[index] ?? 0))) return null;
  const parts = leases.map((lease, index) => {
    const amount = amounts[index] ?? 0;
    return { lease, amount, leased: lease.take(amount, nowMs) };
  });
  return { nodeId, parts };
}
