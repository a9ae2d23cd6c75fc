import { describe, expect, it } from 'vitest';
import type { FinishReason } from '../canonical/response.ts';
import { readFinish, writeStopReason } from './finish-reason.ts';

describe('readFinish', () => {
  it.each<[string, FinishReason]>([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['pause_turn', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'content-filter'],
  ])('%s is %s, with its own word kept', (native, reason) => {
    expect(readFinish(native, null, false)).toEqual({ reason, native });
  });

  it('T12: what was called decides, not what the reason says', () => {
    expect(readFinish('tool_use', null, true).reason).toBe('tool-calls');
    expect(readFinish('end_turn', null, true).reason).toBe('tool-calls');
    expect(readFinish('tool_use', null, false).reason).toBe('stop');
  });

  it('a cap or a refusal beats calls, which may be incomplete', () => {
    expect(readFinish('max_tokens', null, true).reason).toBe('length');
    expect(readFinish('refusal', null, true).reason).toBe('content-filter');
  });

  it('F4: unknown reasons are an ordinary stop, and none is none', () => {
    expect(readFinish('not_invented_yet', null, false)).toEqual({
      reason: 'stop',
      native: 'not_invented_yet',
    });
    expect(readFinish(null, null, false)).toEqual({ reason: 'stop', native: null });
    expect(readFinish(undefined, undefined, false)).toEqual({ reason: 'stop', native: null });
  });

  it('P3: the sequence is told only where it was the reason', () => {
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
  ])('%s is %s', (reason, native) => {
    expect(writeStopReason({ reason, native: null })).toBe(native);
  });

  it('a stop by sequence has its own', () => {
    expect(writeStopReason({ reason: 'stop', native: 'stop', stopSequence: 'END' })).toBe('stop_sequence');
  });
});
