import { describe, expect, it } from 'vitest';
import { readFinish, writeEnding } from './response-object.ts';

describe('T12: status of a response', () => {
  it.each([
    ['completed', false, 'stop'],
    ['completed', true, 'tool-calls'],
    ['complete', false, 'stop'],
    ['queued', false, 'stop'],
    ['failed', false, 'error'],
    ['failed', true, 'error'],
    ['cancelled', false, 'error'],
    ['incomplete', false, 'length'],
    ['constructor', false, 'stop'],
  ])('readFinish maps the status %s (calls: %s) to %s', (status, hasCalls, reason) => {
    expect(readFinish({ status }, hasCalls)).toEqual({ reason, native: status });
  });

  it.each([
    ['max_output_tokens', 'length'],
    ['max_tokens', 'length'],
    ['content_filter', 'content-filter'],
    ['constructor', 'length'],
  ])('readFinish maps incomplete for %s to %s, with or without calls', (cause, reason) => {
    const answer = { status: 'incomplete', incomplete_details: { reason: cause } };
    expect(readFinish(answer, false)).toEqual({ reason, native: cause });
    expect(readFinish(answer, true)).toEqual({ reason, native: cause });
  });

  it.each([null, undefined, 7, {}])('readFinish ignores the status %j', (status) => {
    expect(readFinish({ status }, false)).toEqual({ reason: 'stop', native: null });
  });
});

describe('writeEnding', () => {
  it.each(['stop', 'tool-calls'] as const)('writeEnding maps %s to completed', (reason) => {
    expect(writeEnding({ reason, native: 'x' })).toEqual({
      status: 'completed',
      incomplete_details: null,
      error: null,
    });
  });

  it.each(['stop', 'length', 'content-filter', 'error'] as const)(
    'writeEnding writes %s so that readFinish reads the same',
    (reason) => {
      expect(readFinish(writeEnding({ reason, native: null }), false).reason).toBe(reason);
    },
  );

  it("writeEnding of a failure contains the provider's reason", () => {
    expect(writeEnding({ reason: 'error', native: 'insufficient_system_resource' }).error).toEqual({
      code: 'server_error',
      message: "The provider ended its answer with 'insufficient_system_resource'.",
    });
    expect(writeEnding({ reason: 'error', native: null }).error?.message).toMatch(/with an error\.$/);
  });
});
