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

/** How a call ended: `unknown` says nothing of the provider, such as when the caller left. */
export type CallOutcome = 'success' | 'failure' | 'unknown';

/** A call's leave to go out, given back with its outcome. */
export type CallPermit = 'call' | 'probe';

export interface CircuitBreaker {
  /** How long to wait instead where the circuit is open, in milliseconds. */
  enter(key: string): CallPermit | number;
  leave(key: string, passage: CallPermit, outcome: CallOutcome): void;
  read(key: string): CircuitReading;
  /** The targets whose circuit is not closed. */
  listOpen(): string[];
  /** Calls `listener` each time that a circuit opens, opens for longer, or closes. */
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

/** Below this, the failures that a circuit remembers are not worth remembering. */
const failuresForgotten = 0.1;

/** The circuits of one worker. Only targets that have failed lately have one, so that all others cost a look-up. */
export function createCircuitBreaker({ clock, log }: CircuitBreakerOptions): CircuitBreaker {
  const circuits = new Map<string, Circuit>();
  const listeners: CircuitListener[] = [];

  return {
    enter(key) {
      const circuit = circuits.get(key);
      if (circuit === undefined || circuit.cooldown === null) return 'call';
      const nowMs = clock();
      const reading = readCircuit(circuit, nowMs);
      if (reading.state === 'closed') return 'call';
      if (reading.retryAfterMs !== null) return reading.retryAfterMs;
      circuits.set(key, startProbe(circuit, nowMs));
      return 'probe';
    },

    leave(key, passage, outcome) {
      const circuit = circuits.get(key) ?? newCircuit;
      const isNews =
        passage === 'probe' || outcome === 'failure' || (circuit !== newCircuit && outcome === 'success');
      if (!isNews) return;
      const nowMs = clock();
      const next =
        passage === 'probe'
          ? endProbe(circuit, outcome, nowMs)
          : recordCall(circuit, outcome === 'failure', nowMs);
      if (next.failures < failuresForgotten) circuits.delete(key);
      else circuits.set(key, next);
      tell(key, circuit, next);
    },

    read: (key) => readCircuit(circuits.get(key) ?? newCircuit, clock()),
    listOpen: () => [...circuits].filter(([, { cooldown }]) => cooldown !== null).map(([key]) => key),
    onTurn: (listener) => void listeners.push(listener),
  };

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
