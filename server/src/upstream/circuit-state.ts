import { decay } from '#domain/exponential-decay.ts';

/**
 * Recent results of calls to one model at one provider instance. Errors caused by callers do not count. Times are
 * monotonic milliseconds.
 */
export interface Circuit {
  readonly failuresInRow: number;
  /** Exponentially decaying counts, as of `countedAtMs`. */
  readonly failures: number;
  readonly calls: number;
  readonly countedAtMs: number;
  readonly cooldown: Cooldown | null;
}

interface Cooldown {
  readonly durationMs: number;
  readonly endsAtMs: number;
  /** Time at which the current probe was sent; `null` if none is in flight. */
  readonly probedAtMs: number | null;
}

export type CircuitReading =
  | { readonly state: 'closed' }
  | { readonly state: 'open'; readonly retryAfterMs: number }
  /** The cooldown is over and one probe is allowed; `retryAfterMs` is set while it is in flight. */
  | { readonly state: 'half-open'; readonly retryAfterMs: number | null };

const halfLifeMs = 10_000;
const failuresInRowMax = 10;
const callsMin = 50;
const failureRatioMax = 0.5;
const firstCooldownMs = 5_000;
const cooldownMaxMs = 30_000;
/** After this time, a probe no longer blocks other probes. */
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

/** Ignores calls that started before a cooldown and finish during it. */
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

export function startProbe(circuit: Circuit, nowMs: number): Circuit {
  return circuit.cooldown === null
    ? circuit
    : { ...circuit, cooldown: { ...circuit.cooldown, probedAtMs: nowMs } };
}

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

export function recordOutcome(
  circuit: Circuit,
  isProbe: boolean,
  outcome: 'success' | 'failure' | 'unknown',
  nowMs: number,
): Circuit {
  if (isProbe && circuit.cooldown !== null) return endProbe(circuit, outcome, nowMs);
  return outcome === 'unknown' ? circuit : recordCall(circuit, outcome === 'failure', nowMs);
}

/** Returns the wait in milliseconds if no call is permitted now. */
export function findPermit(circuit: Circuit, nowMs: number): 'call' | 'probe' | number {
  const reading = readCircuit(circuit, nowMs);
  return reading.state === 'closed' ? 'call' : (reading.retryAfterMs ?? 'probe');
}

export function isNegligible({ failures }: Circuit): boolean {
  return failures < failuresForgotten;
}

function isFailing({ failuresInRow, failures, calls }: Circuit): boolean {
  return failuresInRow >= failuresInRowMax || (calls >= callsMin && failures >= failureRatioMax * calls);
}

function openFor(circuit: Circuit, durationMs: number, nowMs: number): Circuit {
  return { ...circuit, cooldown: { durationMs, endsAtMs: nowMs + durationMs, probedAtMs: null } };
}
