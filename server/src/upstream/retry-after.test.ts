import { expect, test } from 'vitest';
import { readRetryAfterMs } from './retries.ts';

const nowMs = Date.parse('2026-11-20T10:00:00Z');

test.each([
  [{ 'retry-after': '34' }, 34_000],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after': 'Fri, 20 Nov 2026 10:00:30 GMT' }, 30_000],
  [{ 'retry-after': 'Fri, 20 Nov 2026 09:59:00 GMT' }, 0],
  [{ 'retry-after-ms': '1250' }, 1250],
  [{ 'retry-after-ms': '1250', 'retry-after': '60' }, 1250],
  [{ 'retry-after-ms': 'soon', 'retry-after': '2' }, 2000],
])('readRetryAfterMs reads %j as %i ms', (headers, delayMs) => {
  expect(readRetryAfterMs(headers, nowMs)).toBe(delayMs);
});

test.each([
  [{}],
  [{ 'retry-after': '' }],
  [{ 'retry-after': 'soon' }],
  [{ 'retry-after': '-5' }],
  [{ 'retry-after': '1e9' }],
  [{ 'retry-after': '99999999999999999999' }],
  [{ 'retry-after': '2026-11-20' }],
  [{ 'retry-after': 'Fri, 99 Foo 2026 10:00:30 GMT' }],
  [{ 'retry-after': ['1', '2'] }],
])('readRetryAfterMs returns undefined for %j', (headers) => {
  expect(readRetryAfterMs(headers, nowMs)).toBeUndefined();
});
