import { expect, test } from 'vitest';
import {
  type Circuit,
  endProbe,
  newCircuit,
  readCircuit,
  recordCall,
  recordOutcome,
  startProbe,
} from './circuit-state.ts';

const stateAt = (circuit: Circuit, nowMs: number) => readCircuit(circuit, nowMs).state;

function note(pattern: string, stepMs = 1, circuit = newCircuit): Circuit {
  return [...pattern].reduce(
    (current, call, index) => recordCall(current, call === 'x', index * stepMs),
    circuit,
  );
}

const open = note('x'.repeat(10), 0);

test('a circuit opens after ten consecutive failures but not after nine', () => {
  expect(stateAt(note('x'.repeat(9)), 9)).toBe('closed');
  expect(stateAt(note('x'.repeat(10)), 10)).toBe('open');
});

test('a success resets the count of consecutive failures', () => {
  expect(stateAt(note('xxxxxxxxx.xxxxxxxxx'), 19)).toBe('closed');
});

test('a circuit opens when half of at least fifty calls fail, in any order', () => {
  expect(stateAt(note('.x'.repeat(30)), 60)).toBe('open');
  expect(stateAt(note('.x'.repeat(20)), 40)).toBe('closed');
  expect(stateAt(note('..x'.repeat(400)), 1200)).toBe('closed');
});

test('recordCall discounts old calls, both failures and successes', () => {
  const badPast = note(`${'.x'.repeat(20)}${'.'.repeat(40)}`);
  expect(stateAt(note('.x'.repeat(20), 1, { ...badPast, countedAtMs: -60_000 }), 40)).toBe('closed');
  const goodPast = { ...note('.'.repeat(10_000)), countedAtMs: -120_000 };
  expect(stateAt(note('..x'.repeat(20) + 'xx.'.repeat(60), 1, goodPast), 240)).toBe('open');
});

test('an open circuit reports its remaining cooldown, then becomes half-open', () => {
  expect(readCircuit(open, 0)).toEqual({ state: 'open', retryAfterMs: 5_000 });
  expect(readCircuit(open, 4_999)).toEqual({ state: 'open', retryAfterMs: 1 });
  expect(readCircuit(open, 5_000)).toEqual({ state: 'half-open', retryAfterMs: null });
});

test('a half-open circuit with a probe in flight makes other calls wait until the probe times out', () => {
  const probed = startProbe(open, 6_000);
  expect(readCircuit(probed, 6_000)).toEqual({ state: 'half-open', retryAfterMs: 1_000 });
  expect(readCircuit(probed, 15_999)).toMatchObject({ retryAfterMs: 1_000 });
  expect(readCircuit(probed, 16_000)).toEqual({ state: 'half-open', retryAfterMs: null });
});

test('a successful probe closes the circuit and clears its history', () => {
  expect(endProbe(startProbe(open, 6_000), 'success', 7_000)).toEqual(newCircuit);
});

test('each failed probe doubles the cooldown, up to 30 seconds', () => {
  let circuit = open;
  let nowMs = 0;
  const rests = [5_000, 10_000, 20_000, 30_000, 30_000];
  for (const restMs of rests) {
    expect(readCircuit(circuit, nowMs)).toEqual({ state: 'open', retryAfterMs: restMs });
    nowMs += restMs;
    circuit = endProbe(startProbe(circuit, nowMs), 'failure', nowMs);
  }
});

test('a probe with an unknown outcome allows the next probe immediately', () => {
  const probed = endProbe(startProbe(open, 6_000), 'unknown', 6_500);
  expect(readCircuit(probed, 6_500)).toEqual({ state: 'half-open', retryAfterMs: null });
});

test('calls that start before a cooldown and finish during it change nothing', () => {
  expect(recordCall(open, false, 100)).toBe(open);
  expect(recordCall(open, true, 100)).toBe(open);
});

test('endProbe and startProbe change nothing at a circuit that is not half-open', () => {
  expect(endProbe(newCircuit, 'failure', 100)).toBe(newCircuit);
  expect(startProbe(newCircuit, 100)).toBe(newCircuit);
});

test('a failed probe of another circuit counts as a call in a closed circuit', () => {
  const { failures, calls } = recordOutcome(newCircuit, true, 'failure', 1_000);
  expect({ failures, calls }).toEqual({ failures: 1, calls: 1 });
});
