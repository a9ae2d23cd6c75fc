import { expect, it } from 'vitest';
import { readFinish } from './response.ts';

it.each([
  ['stop', 'stop'],
  ['length', 'length'],
  ['load', 'error'],
  ['unload', 'error'],
  ['a word of the future', 'stop'],
  ['constructor', 'stop'],
] as const)('readFinish maps %s to %s and keeps the native reason', (native, reason) => {
  expect(readFinish(native, false)).toEqual({ reason, native });
});

it('T12: readFinish returns tool-calls if there are tool calls, unless the response was cut off', () => {
  expect(readFinish('stop', true).reason).toBe('tool-calls');
  expect(readFinish('length', true).reason).toBe('length');
});

it.each([null, undefined, 7, {}])('readFinish maps %s to stop', (native) => {
  expect(readFinish(native, false)).toEqual({ reason: 'stop', native: null });
});
