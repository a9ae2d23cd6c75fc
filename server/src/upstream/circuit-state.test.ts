import { expect, test } from 'vitest';
import {
  type Circuit,
  endProbe,
  newCircuit,
  readCircuit,
  recordCall,
  startProbe,
} from '#upstream/circuit-state.ts';

const stateAt = (circuit: Circuit, nowMs: number) => readCircuit(circuit, nowMs).state;

/** Calls one after the other, `stepMs` apart from time 0 on, that fail where the pattern has an `x`. */
function note(pattern: string, stepMs = 1, circuit = newCircuit): Circuit {
  return [...pattern].reduce(
    (current, call, index) => recordCall(current, call === 'x', index * stepMs),
    circuit,
  );
}

/** Open since time 0. */
const open = note('x'.repeat(10), 0);

test('ten failures in a row open a circuit, nine do not', () => {
  expect(stateAt(note('x'.repeat(9)), 9)).toBe('closed');
  expect(stateAt(note('x'.repeat(10)), 10)).toBe('open');
});

test('a success in between begins the row anew', () => {
  expect(stateAt(note('xxxxxxxxx.xxxxxxxxx'), 19)).toBe('closed');
});

test('half of at least fifty calls that failed open it, however they are mixed', () => {
  expect(stateAt(note('.x'.repeat(30)), 60)).toBe('open');
  expect(stateAt(note('.x'.repeat(20)), 40)).toBe('closed');
  expect(stateAt(note('..x'.repeat(400)), 1200)).toBe('closed');
});

test('old calls fade: a bad past does not count against a good present, nor hides a good one a bad present', () => {
  const badPast = note(`${'.x'.repeat(20)}${'.'.repeat(40)}`);
  expect(stateAt(note('.x'.repeat(20), 1, { ...badPast, countedAtMs: -60_000 }), 40)).toBe('closed');
  const goodPast = { ...note('.'.repeat(10_000)), countedAtMs: -120_000 };
  expect(stateAt(note('..x'.repeat(20) + 'xx.'.repeat(60), 1, goodPast), 240)).toBe('open');
});

test('an open circuit says how long it rests, then one call may find out', () => {
  expect(readCircuit(open, 0)).toEqual({ state: 'open', retryAfterMs: 5_000 });
  expect(readCircuit(open, 4_999)).toEqual({ state: 'open', retryAfterMs: 1 });
  expect(readCircuit(open, 5_000)).toEqual({ state: 'half-open', retryAfterMs: null });
});

test('while that call is on its way the others wait, but not for ever', () => {
  const probed = startProbe(open, 6_000);
  expect(readCircuit(probed, 6_000)).toEqual({ state: 'half-open', retryAfterMs: 1_000 });
  expect(readCircuit(probed, 15_999)).toMatchObject({ retryAfterMs: 1_000 });
  expect(readCircuit(probed, 16_000)).toEqual({ state: 'half-open', retryAfterMs: null });
});

test('a probe that does well closes the circuit and forgets what was', () => {
  expect(endProbe(startProbe(open, 6_000), 'success', 7_000)).toEqual(newCircuit);
});

test('each probe that fails doubles the cooldown, up to half a minute', () => {
  let circuit = open;
  let nowMs = 0;
  const rests = [5_000, 10_000, 20_000, 30_000, 30_000];
  for (const restMs of rests) {
    expect(readCircuit(circuit, nowMs)).toEqual({ state: 'open', retryAfterMs: restMs });
    nowMs += restMs;
    circuit = endProbe(startProbe(circuit, nowMs), 'failure', nowMs);
  }
});

test('a probe that says nothing makes room for the next at once', () => {
  const probed = endProbe(startProbe(open, 6_000), 'unknown', 6_500);
  expect(readCircuit(probed, 6_500)).toEqual({ state: 'half-open', retryAfterMs: null });
});

test('calls that began before the cooldown change nothing when they end in it', () => {
  expect(recordCall(open, false, 100)).toBe(open);
  expect(recordCall(open, true, 100)).toBe(open);
});

test('a probe that was overtaken by another changes nothing', () => {
  expect(endProbe(newCircuit, 'failure', 100)).toBe(newCircuit);
  expect(startProbe(newCircuit, 100)).toBe(newCircuit);
});
