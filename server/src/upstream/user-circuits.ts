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

/** Bounds memory. Dropping the oldest circuits unblocks their users. */
const circuitsMax = 20_000;

/** Circuits of individual users. Only the user's own failures open a circuit. */
export interface UserCircuits {
  findPermit(key: string, userId: number, nowMs: number): 'call' | 'probe' | number;
  startProbe(key: string, userId: number, nowMs: number): void;
  record(
    key: string,
    userId: number,
    call: { isProbe: boolean; outcome: 'success' | 'failure' | 'unknown' },
    nowMs: number,
  ): void;
  read(key: string, userId: number, nowMs: number): CircuitReading;
  size(): number;
}

export function createUserCircuits(): UserCircuits {
  const circuits = new Map<string, Circuit>();
  const nameOf = (key: string, userId: number) => `${userId} ${key}`;
  const find = (key: string, userId: number) =>
    circuits.size === 0 ? newCircuit : (circuits.get(nameOf(key, userId)) ?? newCircuit);
  return {
    findPermit: (key, userId, nowMs) => findPermit(find(key, userId), nowMs),
    startProbe(key, userId, nowMs) {
      circuits.set(nameOf(key, userId), startProbe(find(key, userId), nowMs));
    },
    record(key, userId, { isProbe, outcome }, nowMs) {
      const before = find(key, userId);
      if (before === newCircuit && outcome !== 'failure') return;
      const next = recordOutcome(before, isProbe, outcome, nowMs);
      circuits.delete(nameOf(key, userId));
      if (!isNegligible(next)) setBounded(circuits, nameOf(key, userId), next, circuitsMax);
    },
    read: (key, userId, nowMs) => readCircuit(find(key, userId), nowMs),
    size: () => circuits.size,
  };
}

/** Returns the oldest entry if it had to be dropped to make room. */
export function setBounded<Value>(
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
