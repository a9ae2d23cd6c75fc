import { decay } from '#domain/exponential-decay.ts';
import type { Clock } from '#platform/clock.ts';
import { dropOldest } from '#platform/drop-oldest.ts';
import {
  type Circuit,
  type CircuitReading,
  findPermit,
  isNegligible,
  newCircuit,
  readCircuit,
  recordOutcome,
  startProbe,
} from './circuit-state.ts';
import { createUserCircuits, setBounded } from './user-circuits.ts';

/**
 * Maximum number of one user's failures that count against a shared circuit, both since the last success and in a sum
 * that halves every `halfLifeMs`. Must be less than 10, the number of consecutive failures that opens a circuit.
 */
const failuresPerUserMax = 5;
const halfLifeMs = 10_000;
const usersMax = 100;

interface Vote {
  failures: number;
  countedAtMs: number;
  row: number;
  failuresInRow: number;
}

/**
 * Limits how much one user's failures count against a shared target, since the content of a request may cause a
 * failure.
 */
interface FailureVotes {
  /** Returns `false` if the failure must not count. */
  add(userId: number, nowMs: number): boolean;
  /** Called when a call succeeds; resets the count of consecutive failures. */
  startRow(): void;
}

function createFailureVotes(): FailureVotes {
  const votes = new Map<number, Vote>();
  let row = 0;
  return {
    add(userId, nowMs) {
      const vote = votes.get(userId) ?? { failures: 0, countedAtMs: nowMs, row, failuresInRow: 0 };
      const failures = decay(vote.failures, nowMs - vote.countedAtMs, halfLifeMs);
      const failuresInRow = vote.row === row ? vote.failuresInRow : 0;
      if (failures >= failuresPerUserMax || failuresInRow >= failuresPerUserMax) return false;
      votes.delete(userId);
      votes.set(userId, {
        failures: failures + 1,
        countedAtMs: nowMs,
        row,
        failuresInRow: failuresInRow + 1,
      });
      dropOldest(votes, usersMax);
      return true;
    },
    startRow() {
      row++;
    },
  };
}

/** Outcome of a call. `unknown` indicates nothing about the provider, for example after the caller disconnected. */
export type CallOutcome = 'success' | 'failure' | 'unknown';

/** Permit for a call, passed to `leave` with the outcome. `own-probe` tests only the user's own circuit. */
export type CallPermit = 'call' | 'probe' | 'own-probe';

/**
 * Circuit breaker with one circuit per target that all users share, and one for each user whose calls to the target
 * failed. The shared circuit opens only on failures of several users, so that no user can block a model for everyone.
 */
export interface CircuitBreaker {
  /** Returns the permit, or the wait in milliseconds if a circuit is open. */
  enter(key: string, userId: number): CallPermit | number;
  leave(key: string, userId: number, permit: CallPermit, outcome: CallOutcome): void;
  /** Returns the circuit that blocks this user longest, or the shared circuit if no user is given. */
  read(key: string, userId?: number): CircuitReading;
  /** Returns the targets whose shared circuit is not closed. */
  listOpen(): string[];
  size(): number;
  /** Registers a listener that is called each time a shared circuit opens, stays open longer, or closes. */
  onTurn(listener: CircuitListener): void;
}

type CircuitListener = (key: string, reading: CircuitReading) => void;

export const circuitKey = (instanceId: number, model: string) => `${instanceId}/${model}`;

export function readCircuitKey(key: string): { instanceId: number; model: string } {
  const end = key.indexOf('/');
  return { instanceId: Number(key.slice(0, end)), model: key.slice(end + 1) };
}

interface CircuitBreakerOptions {
  /** Monotonic milliseconds. */
  readonly clock: Clock;
  readonly log?: {
    warn(fields: object, message: string): void;
    info(fields: object, message: string): void;
  };
}

/** Bounds memory. Dropping the oldest targets unblocks them. */
const targetsMax = 10_000;

interface Target {
  circuit: Circuit;
  readonly votes: FailureVotes;
  /** User whose probe failed last, otherwise `null`. Other users may probe first. */
  failedProberId: number | null;
}

/** Targets without recent failures cost two lookups. */
export function createCircuitBreaker(options: CircuitBreakerOptions): CircuitBreaker {
  const { clock } = options;
  const targets = new Map<string, Target>();
  const own = createUserCircuits();
  const listeners: CircuitListener[] = [];
  const notify = createNotifier(options, listeners);
  return {
    enter(key, userId) {
      const target = targets.get(key);
      const nowMs = clock();
      const ownPermit = own.findPermit(key, userId, nowMs);
      if (typeof ownPermit === 'number') return ownPermit;
      const permit = target ? findSharedPermit(target, userId, nowMs) : 'call';
      if (typeof permit === 'number') return permit;
      if (ownPermit === 'probe') own.startProbe(key, userId, nowMs);
      if (target && permit === 'probe') target.circuit = startProbe(target.circuit, nowMs);
      return permit === 'call' && ownPermit === 'probe' ? 'own-probe' : permit;
    },
    leave(key, userId, permit, outcome) {
      const nowMs = clock();
      own.record(key, userId, { isProbe: permit !== 'call', outcome }, nowMs);
      const target = targets.get(key) ?? (outcome === 'failure' ? createTarget() : null);
      if (!target) return;
      const before = target.circuit;
      recordShared(target, { userId, isProbe: permit === 'probe', outcome, nowMs });
      if (isNegligible(target.circuit)) targets.delete(key);
      else if (!targets.has(key)) {
        const dropped = setBounded(targets, key, target, targetsMax);
        if (dropped) notify(dropped[0], dropped[1].circuit, newCircuit);
      }
      notify(key, before, target.circuit);
    },
    read(key, userId) {
      const nowMs = clock();
      const shared = readCircuit(targets.get(key)?.circuit ?? newCircuit, nowMs);
      const ofUser = userId === undefined ? shared : own.read(key, userId, nowMs);
      return waitOf(ofUser) > waitOf(shared) ? ofUser : shared;
    },
    listOpen: () => [...targets].filter(([, { circuit }]) => circuit.cooldown !== null).map(([key]) => key),
    size: () => targets.size + own.size(),
    onTurn: (listener) => void listeners.push(listener),
  };
}

const createTarget = (): Target => ({
  circuit: newCircuit,
  votes: createFailureVotes(),
  failedProberId: null,
});

interface EndedCall {
  readonly userId: number;
  readonly isProbe: boolean;
  readonly outcome: CallOutcome;
  readonly nowMs: number;
}

function recordShared(target: Target, { userId, isProbe, outcome, nowMs }: EndedCall): void {
  if (!isProbe && outcome === 'failure' && !target.votes.add(userId, nowMs)) return;
  if (outcome === 'success') target.votes.startRow();
  if (isProbe) target.failedProberId = outcome === 'failure' ? userId : null;
  target.circuit = recordOutcome(target.circuit, isProbe, outcome, nowMs);
}

/** After a failed probe, other users may probe one cooldown earlier, so that one user cannot keep the circuit open. */
function findSharedPermit({ circuit, failedProberId }: Target, userId: number, nowMs: number) {
  const permit = findPermit(circuit, nowMs);
  if (permit !== 'probe' || failedProberId !== userId || !circuit.cooldown) return permit;
  const waitMs = circuit.cooldown.endsAtMs + circuit.cooldown.durationMs - nowMs;
  return waitMs > 0 ? waitMs : permit;
}

function waitOf(reading: CircuitReading): number {
  return reading.state === 'closed' ? -1 : (reading.retryAfterMs ?? 0);
}

function createNotifier({ clock, log }: CircuitBreakerOptions, listeners: readonly CircuitListener[]) {
  return (target: string, before: Circuit, after: Circuit): void => {
    if (before.cooldown?.endsAtMs !== after.cooldown?.endsAtMs) {
      const reading = readCircuit(after, clock());
      for (const listener of listeners) listener(target, reading);
    }
    if (before.cooldown === null && after.cooldown !== null)
      log?.warn(
        { target, failuresInRow: after.failuresInRow },
        'a provider keeps failing: its circuit is open',
      );
    else if (before.cooldown !== null && after.cooldown === null)
      log?.info({ target }, 'a provider works again: its circuit is closed');
  };
}
