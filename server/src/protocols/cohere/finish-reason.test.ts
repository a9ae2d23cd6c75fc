import { expect, it } from 'vitest';
import { readFinish } from './finish-reason.ts';

it.each([
  ['COMPLETE', 'stop'],
  ['STOP_SEQUENCE', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['ERROR_LIMIT', 'length'],
  ['TOOL_CALL', 'tool-calls'],
  ['ERROR_TOXIC', 'content-filter'],
  ['ERROR', 'error'],
  ['TIMEOUT', 'error'],
  ['A_WORD_OF_THE_FUTURE', 'stop'],
  ['constructor', 'stop'],
] as const)('%s means %s, and the native word is kept', (native, reason) => {
  expect(readFinish(native, false)).toEqual({ reason, native });
});

it('T12: an answer that calls ends with its calls, whatever it says', () => {
  expect(readFinish('COMPLETE', true).reason).toBe('tool-calls');
  expect(readFinish('MAX_TOKENS', true).reason).toBe('length');
});

it.each([null, undefined, 7, {}])('%s means stop', (native) => {
  expect(readFinish(native, false)).toEqual({ reason: 'stop', native: null });
});
