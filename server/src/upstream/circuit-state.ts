import { decay } from '#domain/exponential-decay.ts';

/**
 * How the latest calls of one model at one instance went. A circuit opens when the provider itself keeps failing, so
 * that callers are not made to wait for it again and again; the callers' own faults do not count. Times are monotonic.
 */
export interface Circuit {
  readonly failuresInRow: number;
  /** Counts that decay exponentially, as of `countedAtMs`. */
  readonly failures: number;
  readonly calls: number;
  readonly countedAtMs: number;
  readonly cooldown: Cooldown | null;
}

interface Cooldown {
  readonly durationMs: number;
  readonly endsAtMs: number;
  /** When the call was sent that finds out whether the provider works again. */
  readonly probedAtMs: number | null;
}

export type CircuitReading =
  | { readonly state: 'closed' }
  | { readonly state: 'open'; readonly retryAfterMs: number }
  /** The cooldown is over. One call goes out to see; `retryAfterMs` is set while it is on its way. */
  | { readonly state: 'half-open'; readonly retryAfterMs: number | null };

const halfLifeMs = 10_000;
const failuresInRowMax = 10;
const callsMin = 50;
const failureRatioMax = 0.5;
const firstCooldownMs = 5_000;
const cooldownMaxMs = 30_000;
/** A probe that takes longer no longer keeps others from trying. */
const probeTimeoutMs = 10_000;
const probeRetryAfterMs = 1_000;
const failuresForgotten = 0.1;

export const newCircuit: Circuit = {
  failuresInRow: 0,
  failures: 0,
  calls: 0,
  countedAtMs: 0,
  cooldown: null,
};

export function readCircuit({ cooldown }: Circuit, nowMs: number): CircuitReading {
  if (cooldown === null) return { state: 'closed' };
  if (nowMs < cooldown.endsAtMs) return { state: 'open', retryAfterMs: cooldown.endsAtMs - nowMs };
  const isProbed = cooldown.probedAtMs !== null && nowMs < cooldown.probedAtMs + probeTimeoutMs;
  return { state: 'half-open', retryAfterMs: isProbed ? probeRetryAfterMs : null };
}

/** A call at a closed circuit has ended. During a cooldown, calls that began before it change nothing. */
export function recordCall(circuit: Circuit, isFailure: boolean, nowMs: number): Circuit {
  if (circuit.cooldown !== null) return circuit;
  const elapsedMs = nowMs - circuit.countedAtMs;
  const noted: Circuit = {
    failuresInRow: isFailure ? circuit.failuresInRow + 1 : 0,
    failures: decay(circuit.failures, elapsedMs, halfLifeMs) + (isFailure ? 1 : 0),
    calls: decay(circuit.calls, elapsedMs, halfLifeMs) + 1,
    countedAtMs: nowMs,
    cooldown: null,
  };
  return isFailure && isFailing(noted) ? openFor(noted, firstCooldownMs, nowMs) : noted;
}

/** The one call at a half-open circuit is on its way. */
export function startProbe(circuit: Circuit, nowMs: number): Circuit {
  return circuit.cooldown === null
    ? circuit
    : { ...circuit, cooldown: { ...circuit.cooldown, probedAtMs: nowMs } };
}

/** That call has ended: well, badly, or so that it says nothing of the provider. */
export function endProbe(
  circuit: Circuit,
  outcome: 'success' | 'failure' | 'unknown',
  nowMs: number,
): Circuit {
  if (circuit.cooldown === null) return circuit;
  if (outcome === 'success') return newCircuit;
  if (outcome === 'unknown') return { ...circuit, cooldown: { ...circuit.cooldown, probedAtMs: null } };
  return openFor(circuit, Math.min(2 * circuit.cooldown.durationMs, cooldownMaxMs), nowMs);
}

/** A call or a probe has ended. */
export function recordOutcome(
  circuit: Circuit,
  isProbe: boolean,
  outcome: 'success' | 'failure' | 'unknown',
  nowMs: number,
): Circuit {
  if (isProbe) return endProbe(circuit, outcome, nowMs);
  return outcome === 'unknown' ? circuit : recordCall(circuit, outcome === 'failure', nowMs);
}

/** Returns how to send a call, or how long to wait instead, in milliseconds. */
export function findPermit(circuit: Circuit, nowMs: number): 'call' | 'probe' | number {
  const reading = readCircuit(circuit, nowMs);
  return reading.state === 'closed' ? 'call' : (reading.retryAfterMs ?? 'probe');
}

/** Whether a circuit remembers too few failures to be kept in memory. */
export function isForgettable({ failures }: Circuit): boolean {
  return failures < failuresForgotten;
}

function isFailing({ failuresInRow, failures, calls }: Circuit): boolean {
  return failuresInRow >= failuresInRowMax || (calls >= callsMin && failures >= failureRatioMax * calls);
}

function openFor(circuit: Circuit, durationMs: number, nowMs: number): Circuit {
  return { ...circuit, cooldown: { durationMs, endsAtMs: nowMs + durationMs, probedAtMs: null } };
}
