import { expect, test } from 'vitest';
import { createCircuitBreaker } from '#upstream/circuit-breaker.ts';

function start() {
  const time = { ms: 0 };
  const told: string[] = [];
  const tell = (_: object, message: string) => void told.push(message);
  const breaker = createCircuitBreaker({ clock: () => time.ms, log: { warn: tell, info: tell } });
  const call = (key: string, outcome: 'success' | 'failure' | 'unknown') => {
    const passage = breaker.enter(key);
    if (typeof passage !== 'number') breaker.leave(key, passage, outcome);
    return passage;
  };
  const fail = (key: string) => {
    for (let count = 0; count < 10; count++) call(key, 'failure');
  };
  return { time, told, breaker, call, fail };
}

test('a target that keeps failing is not called, with the wait until it may be', () => {
  const { time, call, fail, breaker } = start();
  fail('a');
  time.ms = 2_000;
  expect(call('a', 'success')).toBe(3_000);
  expect(breaker.read('a')).toEqual({ state: 'open', retryAfterMs: 3_000 });
});

test('other targets are none of its business', () => {
  const { breaker, call, fail } = start();
  fail('a');
  expect(call('b', 'success')).toBe('call');
  expect(breaker.read('b')).toEqual({ state: 'closed' });
});

test('after its cooldown exactly one call goes out, and its success opens the way to all', () => {
  const { time, breaker, call, fail } = start();
  fail('a');
  time.ms = 5_000;
  expect([breaker.enter('a'), breaker.enter('a'), breaker.enter('a')]).toEqual(['probe', 1_000, 1_000]);
  breaker.leave('a', 'probe', 'success');
  expect([call('a', 'success'), call('a', 'success')]).toEqual(['call', 'call']);
});

test('its failure shuts it again, and a caller who left decides nothing', () => {
  const { time, call, fail } = start();
  fail('a');
  time.ms = 5_000;
  expect(call('a', 'unknown')).toBe('probe');
  expect(call('a', 'failure')).toBe('probe');
  expect(call('a', 'success')).toBe(10_000);
});

test('outcomes that say nothing of the provider never open a circuit', () => {
  const { call } = start();
  for (let count = 0; count < 100; count++) call('a', 'unknown');
  expect(call('a', 'success')).toBe('call');
});

test('successes break a row of failures, also when the circuit has hardly failed before', () => {
  const { call } = start();
  for (let round = 0; round < 20; round++) {
    for (let count = 0; count < 4; count++) call('a', 'failure');
    for (let count = 0; count < 5; count++) call('a', 'success');
  }
  expect(call('a', 'success')).toBe('call');
});

test('opening and closing are told once each', () => {
  const { time, told, call, fail } = start();
  fail('a');
  fail('a');
  time.ms = 5_000;
  call('a', 'failure');
  time.ms = 20_000;
  call('a', 'success');
  call('a', 'success');
  expect(told).toEqual([
    'a provider keeps failing: its circuit is open',
    'a provider works again: its circuit is closed',
  ]);
});
