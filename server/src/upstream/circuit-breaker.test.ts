import { expect, test } from 'vitest';
import { createCircuitBreaker } from './circuit-breaker.ts';

function start() {
  const time = { ms: 0 };
  const told: string[] = [];
  const tell = (_: object, message: string) => void told.push(message);
  const breaker = createCircuitBreaker({ clock: () => time.ms, log: { warn: tell, info: tell } });
  const call = (key: string, outcome: 'success' | 'failure' | 'unknown', userId = 99) => {
    const permit = breaker.enter(key, userId);
    if (typeof permit !== 'number') breaker.leave(key, userId, permit, outcome);
    return permit;
  };
  const fail = (key: string, userId?: number) => {
    for (let count = 0; count < 10; count++) call(key, 'failure', userId ?? count % 2);
  };
  return { time, told, breaker, call, fail };
}

test('enter returns the remaining wait for a target that keeps failing', () => {
  const { time, call, fail, breaker } = start();
  fail('a');
  time.ms = 2_000;
  expect(call('a', 'success')).toBe(3_000);
  expect(breaker.read('a')).toEqual({ state: 'open', retryAfterMs: 3_000 });
});

test('an open circuit does not affect other targets', () => {
  const { breaker, call, fail } = start();
  fail('a');
  expect(call('b', 'success')).toBe('call');
  expect(breaker.read('b')).toEqual({ state: 'closed' });
});

test('a circuit lets exactly one probe through after the cooldown and closes when it succeeds', () => {
  const { time, breaker, call, fail } = start();
  fail('a');
  time.ms = 5_000;
  expect([breaker.enter('a', 1), breaker.enter('a', 2), breaker.enter('a', 3)]).toEqual([
    'probe',
    1_000,
    1_000,
  ]);
  breaker.leave('a', 1, 'probe', 'success');
  expect([call('a', 'success'), call('a', 'success')]).toEqual(['call', 'call']);
});

test('a failed probe reopens the circuit, and a probe with an unknown outcome changes nothing', () => {
  const { time, call, fail } = start();
  fail('a');
  time.ms = 5_000;
  expect(call('a', 'unknown')).toBe('probe');
  expect(call('a', 'failure', 7)).toBe('probe');
  expect(call('a', 'success')).toBe(10_000);
});

test('enter blocks only the user whose calls keep failing', () => {
  const { time, breaker, call, fail } = start();
  for (let hour = 0; hour < 100; hour++) {
    fail('a', 1);
    expect(breaker.enter('a', 1)).toBeTypeOf('number');
    expect(call('a', 'unknown', 2)).toBe('call');
    time.ms += 30_000;
  }
  expect(breaker.listOpen()).toEqual([]);
});

test.each<[string, number, string]>([
  ['in a row', 1, 'x'],
  ['after pauses in which its failures fade', 20_000, 'x'],
  ['between successes', 10, 'xxxxx.'],
  ['in half of the calls', 1, 'x.'],
])('failures of one user never open the shared circuit: %s', (_name, stepMs, pattern) => {
  const { time, breaker, call } = start();
  for (let count = 0; count < 2_000; count++) {
    call('a', pattern[count % pattern.length] === 'x' ? 'failure' : 'success', 1);
    time.ms += stepMs;
    expect(breaker.read('a')).toEqual({ state: 'closed' });
  }
});

test.each([2, 3, 10])('failures of %i users open the shared circuit', (users) => {
  const { breaker, call } = start();
  for (let count = 0; count < 10; count++) call('a', 'failure', count % users);
  expect(breaker.enter('a', 99)).toBe(5_000);
  expect(breaker.listOpen()).toEqual(['a']);
});

test('the shared circuit opens when half of many calls by many users fail, in any order', () => {
  const { breaker, call } = start();
  for (let count = 0; count < 60; count++) call('a', count % 2 ? 'failure' : 'success', count);
  expect(breaker.listOpen()).toEqual(['a']);
});

test('other users may probe before a user whose probe failed', () => {
  const { time, call, fail } = start();
  fail('a');
  time.ms = 5_000;
  expect(call('a', 'failure', 1)).toBe('probe');
  time.ms = 15_000;
  expect(call('a', 'failure', 1)).toBe(10_000);
  expect(call('a', 'success', 2)).toBe('probe');
  expect(call('a', 'success', 1)).toBe('call');
});

test('the only user of a recovered provider gets through after one probe', () => {
  const { time, breaker, call, fail } = start();
  fail('a', 1);
  expect(breaker.read('a', 1)).toEqual({ state: 'open', retryAfterMs: 5_000 });
  time.ms = 5_000;
  expect(call('a', 'success', 1)).toBe('own-probe');
  expect(call('a', 'success', 1)).toBe('call');
  expect(breaker.read('a', 1)).toEqual({ state: 'closed' });
});

test('the number of circuits of users and targets is bounded', () => {
  const { breaker, call } = start();
  for (let count = 0; count < 60_000; count++) call(`target ${count}`, 'failure', count);
  for (let count = 0; count < 60_000; count++) call('a', 'failure', count);
  expect(breaker.size()).toBeLessThanOrEqual(30_000);
});

test('unknown outcomes never open a circuit', () => {
  const { call } = start();
  for (let count = 0; count < 100; count++) call('a', 'unknown');
  expect(call('a', 'success')).toBe('call');
});

test('a success resets the count of consecutive failures, even for a circuit with few failures', () => {
  const { call } = start();
  for (let round = 0; round < 20; round++) {
    for (let count = 0; count < 4; count++) call('a', 'failure');
    for (let count = 0; count < 5; count++) call('a', 'success');
  }
  expect(call('a', 'success')).toBe('call');
});

test('opening and closing a circuit is logged once each', () => {
  const { time, told, call, fail } = start();
  fail('a');
  fail('a');
  time.ms = 5_000;
  call('a', 'failure', 7);
  time.ms = 20_000;
  call('a', 'success');
  call('a', 'success');
  expect(told).toEqual([
    'a provider keeps failing: its circuit is open',
    'a provider works again: its circuit is closed',
  ]);
});
