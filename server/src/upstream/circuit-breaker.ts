import type { Clock } from '#platform/clock.ts';
import {
  type Circuit,
  type CircuitReading,
  endProbe,
  newCircuit,
  readCircuit,
  recordCall,
  startProbe,
} from '#upstream/circuit-state.ts';
import { createFailureVotes, type FailureVotes } from '#upstream/failure-votes.ts';

/** How a call ended: `unknown` says nothing of the provider, such as when the caller left. */
export type CallOutcome = 'success' | 'failure' | 'unknown';

/** Permission to call, passed to `leave` with the outcome. `own-probe` tests the user's circuit only. */
export type CallPermit = 'call' | 'probe' | 'own-probe';

/**
 * Each target has a circuit that all users share and one for each user who has seen it fail. A user's failures open that
 * user's circuit; the shared one opens on failures of several users, so that no user can close a model to the others.
 */
export interface CircuitBreaker {
  /** Returns how long to wait instead, in milliseconds, if a circuit is open. */
  enter(key: string, userId: number): CallPermit | number;
  leave(key: string, userId: number, permit: CallPermit, outcome: CallOutcome): void;
  /** Reads the circuit that keeps this user from the target longest; without a user, the shared one. */
  read(key: string, userId?: number): CircuitReading;
  /** Targets whose shared circuit is not closed. */
  listOpen(): string[];
  /** Number of circuits in memory. */
  size(): number;
  /** Adds a listener that is called each time a shared circuit opens, opens for longer, or closes. */
  onTurn(listener: CircuitListener): void;
}

type CircuitListener = (key: string, reading: CircuitReading) => void;

/** A model of an instance has a circuit of its own. */
export const circuitKey = (instanceId: number, model: string) => `${instanceId}/${model}`;

export function readCircuitKey(key: string): { instanceId: number; model: string } {
  const end = key.indexOf('/');
  return { instanceId: Number(key.slice(0, end)), model: key.slice(end + 1) };
}

interface CircuitBreakerOptions {
  /** Monotonic. */
  readonly clock: Clock;
  readonly log?: {
    warn(fields: object, message: string): void;
    info(fields: object, message: string): void;
  };
}

/** Circuits with fewer remembered failures are dropped. */
const failuresForgotten = 0.1;
/** Bounds of memory; the oldest are dropped, after which their targets are called again. */
const targetsMax = 10_000;
const ownCircuitsMax = 20_000;

interface Target {
  circuit: Circuit;
  readonly votes: FailureVotes;
  /** Of the last probe, if it failed. The others get a chance to probe first. */
  failedProberId: number | null;
}

/** Creates the circuits of one worker. Targets that have not failed lately cost two look-ups. */
export function createCircuitBreaker({ clock, log }: CircuitBreakerOptions): CircuitBreaker {
  const targets = new Map<string, Target>();
  const ownCircuits = new Map<string, Circuit>();
  const listeners: CircuitListener[] = [];

  return {
    enter(key, userId) {
      const ownKey = nameOwn(key, userId);
      const target = targets.get(key);
      const own = ownCircuits.get(ownKey);
      if (!target?.circuit.cooldown && !own?.cooldown) return 'call';
      const nowMs = clock();
      const ownPermit = own ? findPermit(own, nowMs) : 'call';
      if (typeof ownPermit === 'number') return ownPermit;
      const permit = target ? findSharedPermit(target, userId, nowMs) : 'call';
      if (typeof permit === 'number') return permit;
      if (own && ownPermit === 'probe') ownCircuits.set(ownKey, startProbe(own, nowMs));
      if (target && permit === 'probe') target.circuit = startProbe(target.circuit, nowMs);
      return permit === 'call' && ownPermit === 'probe' ? 'own-probe' : permit;
    },

    leave(key, userId, permit, outcome) {
      const nowMs = clock();
      recordOwn(nameOwn(key, userId), permit, outcome, nowMs);
      recordShared(key, userId, permit, outcome, nowMs);
    },

    read(key, userId) {
      const nowMs = clock();
      const shared = readCircuit(targets.get(key)?.circuit ?? newCircuit, nowMs);
      if (userId === undefined) return shared;
      const own = readCircuit(ownCircuits.get(nameOwn(key, userId)) ?? newCircuit, nowMs);
      return waitOf(own) > waitOf(shared) ? own : shared;
    },
    listOpen: () => [...targets].filter(([, { circuit }]) => circuit.cooldown !== null).map(([key]) => key),
    size: () => targets.size + ownCircuits.size,
    onTurn: (listener) => void listeners.push(listener),
  };

  function recordOwn(ownKey: string, permit: CallPermit, outcome: CallOutcome, nowMs: number): void {
    const before = ownCircuits.get(ownKey);
    if (!before && outcome !== 'failure') return;
    const next = recordOutcome(before ?? newCircuit, permit !== 'call', outcome, nowMs);
    ownCircuits.delete(ownKey);
    if (next.failures >= failuresForgotten) setBounded(ownCircuits, ownKey, next, ownCircuitsMax);
  }

  function recordShared(
    key: string,
    userId: number,
    permit: CallPermit,
    outcome: CallOutcome,
    nowMs: number,
  ): void {
    const target = targets.get(key) ?? {
      circuit: newCircuit,
      votes: createFailureVotes(),
      failedProberId: null,
    };
    if (!targets.has(key) && outcome !== 'failure') return;
    const isProbe = permit === 'probe';
    if (!isProbe && outcome === 'failure' && !target.votes.add(userId, nowMs)) return;
    if (outcome === 'success') target.votes.startRow();
    if (isProbe) target.failedProberId = outcome === 'failure' ? userId : null;
    const before = target.circuit;
    target.circuit = recordOutcome(before, isProbe, outcome, nowMs);
    if (target.circuit.failures < failuresForgotten) targets.delete(key);
    else if (!targets.has(key)) {
      const dropped = setBounded(targets, key, target, targetsMax);
      if (dropped) tell(dropped[0], dropped[1].circuit, newCircuit);
    }
    tell(key, before, target.circuit);
  }

  function tell(target: string, before: Circuit, after: Circuit): void {
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
  }
}

const nameOwn = (key: string, userId: number) => `${userId} ${key}`;

function findPermit(circuit: Circuit, nowMs: number): 'call' | 'probe' | number {
  const reading = readCircuit(circuit, nowMs);
  return reading.state === 'closed' ? 'call' : (reading.retryAfterMs ?? 'probe');
}

/** One user whose probe has failed cannot keep the circuit open: everybody else may probe a cooldown earlier. */
function findSharedPermit({ circuit, failedProberId }: Target, userId: number, nowMs: number) {
  const permit = findPermit(circuit, nowMs);
  if (permit !== 'probe' || failedProberId !== userId || !circuit.cooldown) return permit;
  const waitMs = circuit.cooldown.endsAtMs + circuit.cooldown.durationMs - nowMs;
  return waitMs > 0 ? waitMs : permit;
}

function recordOutcome(circuit: Circuit, isProbe: boolean, outcome: CallOutcome, nowMs: number): Circuit {
  if (isProbe) return endProbe(circuit, outcome, nowMs);
  return outcome === 'unknown' ? circuit : recordCall(circuit, outcome === 'failure', nowMs);
}

function waitOf(reading: CircuitReading): number {
  return reading.state === 'closed' ? -1 : (reading.retryAfterMs ?? 0);
}

/** Adds an entry. Returns the oldest one if it had to be dropped for that. */
function setBounded<Value>(
  map: Map<string, Value>,
  key: string,
  value: Value,
  max: number,
): [string, Value] | null {
  map.set(key, value);
  const [oldest] = map;
  if (map.size <= max || !oldest) return null;
  map.delete(oldest[0]);
  return oldest;
}
