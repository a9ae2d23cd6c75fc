import { expect, it } from 'vitest';
import { readFinish } from './finish-reason.ts';

it.each([
  ['stop', 'stop'],
  ['length', 'length'],
  ['load', 'error'],
  ['unload', 'error'],
  ['a word of the future', 'stop'],
  ['constructor', 'stop'],
] as const)('%s means %s, and the native word is kept', (native, reason) => {
  expect(readFinish(native, false)).toEqual({ reason, native });
});

it('T12: an answer that calls ends with its calls, unless it was cut off', () => {
  expect(readFinish('stop', true).reason).toBe('tool-calls');
  expect(readFinish('length', true).reason).toBe('length');
});

it.each([null, undefined, 7, {}])('%s means stop', (native) => {
  expect(readFinish(native, false)).toEqual({ reason: 'stop', native: null });
});
