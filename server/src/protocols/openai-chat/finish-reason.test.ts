import { expect, it } from 'vitest';
import { readFinish, writeFinishReason } from './choice-decoder.ts';

it.each([
  ['stop', 'stop'],
  ['eos', 'stop'],
  ['length', 'length'],
  ['model_length', 'length'],
  ['tool_calls', 'stop'],
  ['function_call', 'stop'],
  ['content_filter', 'content-filter'],
  ['error', 'error'],
  ['insufficient_system_resource', 'error'],
  ['a word of the future', 'stop'],
  ['constructor', 'stop'],
] as const)('readFinish maps %s to %s and keeps the native reason', (native, reason) => {
  expect(readFinish(native, false)).toEqual({ reason, native });
});

it.each([null, undefined, 7, {}])('readFinish maps %s to stop', (native) => {
  expect(readFinish(native, false)).toEqual({ reason: 'stop', native: null });
});

it.each([
  ['stop', 'tool-calls'],
  ['tool_calls', 'tool-calls'],
  ['function_call', 'tool-calls'],
  ['length', 'length'],
  ['content_filter', 'content-filter'],
] as const)('readFinish maps the reason %s of a response with calls to %s', (native, reason) => {
  expect(readFinish(native, true)).toEqual({ reason, native });
});

it.each([
  ['stop', 'stop'],
  ['length', 'length'],
  ['tool-calls', 'tool_calls'],
  ['content-filter', 'content_filter'],
  ['error', 'error'],
] as const)('writeFinishReason maps %s to %s', (reason, word) => {
  expect(writeFinishReason({ reason, native: 'whatever' })).toBe(word);
});
