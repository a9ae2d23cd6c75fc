import { describe, expect, it } from 'vitest';
import type { FinishReason } from '../canonical/response.ts';
import { readFinish, writeStopReason } from './response.ts';

describe('readFinish', () => {
  it.each<[string, FinishReason]>([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['pause_turn', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'content-filter'],
  ])('readFinish maps %s to %s and keeps the native reason', (native, reason) => {
    expect(readFinish(native, null, false)).toEqual({ reason, native });
  });

  it('T12: readFinish returns tool-calls for tool_use and end_turn only if there are tool calls', () => {
    expect(readFinish('tool_use', null, true).reason).toBe('tool-calls');
    expect(readFinish('end_turn', null, true).reason).toBe('tool-calls');
    expect(readFinish('tool_use', null, false).reason).toBe('stop');
  });

  it('readFinish keeps length and content-filter despite tool calls, which may be incomplete', () => {
    expect(readFinish('max_tokens', null, true).reason).toBe('length');
    expect(readFinish('refusal', null, true).reason).toBe('content-filter');
  });

  it('F4: readFinish maps unknown and missing stop reasons to stop', () => {
    expect(readFinish('not_invented_yet', null, false)).toEqual({
      reason: 'stop',
      native: 'not_invented_yet',
    });
    expect(readFinish('constructor', null, false)).toEqual({ reason: 'stop', native: 'constructor' });
    expect(readFinish(null, null, false)).toEqual({ reason: 'stop', native: null });
    expect(readFinish(undefined, undefined, false)).toEqual({ reason: 'stop', native: null });
  });

  it('P3: readFinish returns the stop sequence only for the reason stop_sequence', () => {
    expect(readFinish('stop_sequence', 'END', false)).toMatchObject({ stopSequence: 'END' });
    expect(readFinish('end_turn', 'END', false)).not.toHaveProperty('stopSequence');
  });
});

describe('writeStopReason', () => {
  it.each<[FinishReason, string]>([
    ['stop', 'end_turn'],
    ['length', 'max_tokens'],
    ['tool-calls', 'tool_use'],
    ['content-filter', 'refusal'],
    ['error', 'end_turn'],
  ])('writeStopReason maps %s to %s', (reason, native) => {
    expect(writeStopReason({ reason, native: null })).toBe(native);
  });

  it('writeStopReason returns stop_sequence if a stop sequence was reached', () => {
    expect(writeStopReason({ reason: 'stop', native: 'stop', stopSequence: 'END' })).toBe('stop_sequence');
  });
});
