import { expect, it } from 'vitest';
import { readFinish } from './response.ts';

it.each([
  ['COMPLETE', 'stop'],
  ['STOP_SEQUENCE', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['ERROR_LIMIT', 'length'],
  ['TOOL_CALL', 'stop'],
  ['ERROR_TOXIC', 'content-filter'],
  ['ERROR', 'error'],
  ['TIMEOUT', 'error'],
  ['A_WORD_OF_THE_FUTURE', 'stop'],
  ['constructor', 'stop'],
] as const)('readFinish maps %s to %s and keeps the native reason', (native, reason) => {
  expect(readFinish(native, false)).toEqual({ reason, native });
});

it('T12: readFinish returns tool-calls if a stopped response has tool calls', () => {
  expect(readFinish('COMPLETE', true).reason).toBe('tool-calls');
  expect(readFinish('TOOL_CALL', true).reason).toBe('tool-calls');
  expect(readFinish('MAX_TOKENS', true).reason).toBe('length');
});

it.each([null, undefined, 7, {}])('readFinish maps %s to stop', (native) => {
  expect(readFinish(native, false)).toEqual({ reason: 'stop', native: null });
});
