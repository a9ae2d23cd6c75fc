import { expect, it } from 'vitest';
import { readFinish, writeFinishReason } from './finish-reason.ts';

it.each([
  ['stop', 'stop'],
  ['eos', 'stop'],
  ['length', 'length'],
  ['model_length', 'length'],
  ['tool_calls', 'tool-calls'],
  ['function_call', 'tool-calls'],
  ['content_filter', 'content-filter'],
  ['error', 'error'],
  ['insufficient_system_resource', 'error'],
  ['a word of the future', 'stop'],
  ['constructor', 'stop'],
] as const)('%s means %s, and the native word is kept', (native, reason) => {
  expect(readFinish(native, false)).toEqual({ reason, native });
});

it.each([null, undefined, 7, {}])('%s means stop', (native) => {
  expect(readFinish(native, false)).toEqual({ reason: 'stop', native: null });
});

it.each([
  ['stop', 'tool-calls'],
  ['tool_calls', 'tool-calls'],
  ['length', 'length'],
  ['content_filter', 'content-filter'],
] as const)('an answer with calls that says %s ended as %s', (native, reason) => {
  expect(readFinish(native, true)).toEqual({ reason, native });
});

it.each([
  ['stop', 'stop'],
  ['length', 'length'],
  ['tool-calls', 'tool_calls'],
  ['content-filter', 'content_filter'],
  ['error', 'error'],
] as const)('%s is told as %s', (reason, word) => {
  expect(writeFinishReason({ reason, native: 'whatever' })).toBe(word);
});
