import { describe, expect, it } from 'vitest';
import {
  formatDuration,
  type LimitFacts,
  LimitReached,
  LimitsUnavailable,
  limitError,
} from './limit-error.ts';

const nowMs = Date.parse('2026-11-20T12:00:00Z');
const facts: LimitFacts = {
  kind: 'tokens_per_day',
  subjectId: 1,
  settled: 0,
  limit: 30_000,
  left: 1_250,
  amount: 4_000,
  resetsAtMs: Date.parse('2026-11-20T23:00:00Z'),
  isHeldInFlight: false,
};
const refuse = (more: Partial<LimitFacts>) => limitError(new LimitReached({ ...facts, ...more }), nowMs);

describe('limitError', () => {
  it.each<[more: Partial<LimitFacts>, status: number, retryAfterMs: number | undefined, message: string]>([
    [
      {},
      429,
      39_600_000,
      'Your daily token quota is not sufficient: 28,750 of 30,000 tokens are used, and this request needs at least 4,000. It resets at 2026-11-20T23:00:00.000Z (in 11h0m0s).',
    ],
    [
      { isHeldInFlight: true },
      429,
      1_000,
      'Your daily token quota is not sufficient: 28,750 of 30,000 tokens are used, and this request needs at least 4,000. Requests in flight hold a part of it. Retry in one second.',
    ],
    [
      { kind: 'requests_per_hour', limit: 100, left: 0, amount: 1, resetsAtMs: nowMs + 90_500 },
      429,
      90_500,
      'Your limit of requests per hour is reached: 100 of 100 requests are used. It resets at 2026-11-20T12:01:30.500Z (in 1m31s).',
    ],
    [
      { kind: 'credits', left: 1_500_000, amount: 2_345_678_901, resetsAtMs: Number.POSITIVE_INFINITY },
      402,
      undefined,
      "Your organization's credit balance is not sufficient: $0.0015 is left, and this request needs at least $2.345678901. Ask your administrator to increase it.",
    ],
    [
      { kind: 'task_tokens', left: 0, resetsAtMs: Number.POSITIVE_INFINITY },
      429,
      undefined,
      'The token limit of this task is reached: 30,000 of 30,000 tokens are used, and this request needs at least 4,000. Ask your administrator to increase it.',
    ],
    [
      { left: -12, limit: 1_000 },
      429,
      39_600_000,
      'Your daily token quota is reached: 1,012 of 1,000 tokens are used, and this request needs at least 4,000. It resets at 2026-11-20T23:00:00.000Z (in 11h0m0s).',
    ],
  ])('limitError describes a limit reached with %j', (more, status, retryAfterMs, message) => {
    expect(refuse(more)).toMatchObject({ status, retryAfterMs, message });
  });

  it('limitError reports an unavailable database as a gateway error, not as a key or quota error', () => {
    expect(limitError(new LimitsUnavailable(), nowMs)).toMatchObject({
      code: 'not_ready',
      status: 503,
      retryAfterMs: 1_000,
    });
  });

  it('limitError returns other errors unchanged', () => {
    const error = new Error('other');
    expect(limitError(error, nowMs)).toBe(error);
  });
});

it.each([
  [0, '0s'],
  [140, '0.2s'],
  [59_900, '59.9s'],
  [60_000, '1m0s'],
  [3_599_200, '1h0m0s'],
  [7_510_000, '2h5m10s'],
])('formatDuration formats %i ms as %s', (durationMs, text) => {
  expect(formatDuration(durationMs)).toBe(text);
});
