import { expect, test } from 'vitest';
import { classifyError, isPassingStatus, isProviderFault } from './classify-failure.ts';
import { UpstreamError, type UpstreamErrorCode } from './upstream-error.ts';

const kinds: Record<UpstreamErrorCode, [kind: string, isRetryable: boolean]> = {
  aborted: ['aborted', false],
  blocked_address: ['refused_here', false],
  body_too_large: ['bad_response', false],
  certificate_refused: ['connect', false],
  connect_failed: ['connect', true],
  connect_timeout: ['timeout', false],
  consumer_failed: ['aborted', false],
  dns_failed: ['connect', true],
  first_byte_timeout: ['timeout', false],
  frame_too_large: ['bad_response', false],
  idle_timeout: ['timeout', false],
  invalid_request: ['refused_here', false],
  protocol_error: ['bad_response', false],
  redirect_refused: ['bad_response', false],
  reset: ['reset', true],
  total_timeout: ['timeout', false],
  unsupported_encoding: ['bad_response', false],
};

// Safe because the record's keys are the codes.
test.each(Object.entries(kinds) as [UpstreamErrorCode, [string, boolean]][])(
  'classifyError marks %s as retryable only before the first byte and only if the cause is transient',
  (code, [kind, isRetryable]) => {
    expect(classifyError(new UpstreamError(code, 'before_first_byte'))).toMatchObject({ kind, isRetryable });
    expect(classifyError(new UpstreamError(code, 'after_first_byte'))).toMatchObject({
      kind,
      isRetryable: false,
    });
  },
);

test("the message of a classified error names the system code but not the cause's own message", () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:8080'), { code: 'ECONNREFUSED' });
  const { message } = classifyError(new UpstreamError('connect_failed', 'before_first_byte', cause));
  expect(message).toBe('The provider could not be reached (ECONNREFUSED)');
});

test.each([
  [[408, 409, 425, 429, 500, 502, 503, 504, 520, 529], true],
  [[400, 401, 402, 403, 404, 405, 413, 422, 501, 505], false],
])('isPassingStatus for statuses %j returns %s', (statuses, isPassing) => {
  for (const status of statuses) expect(isPassingStatus(status, {})).toBe(isPassing);
});

test("isPassingStatus lets the provider's x-should-retry header override the status", () => {
  expect(isPassingStatus(500, { 'x-should-retry': 'false' })).toBe(false);
  expect(isPassingStatus(400, { 'x-should-retry': 'true' })).toBe(true);
  expect(isPassingStatus(400, { 'x-should-retry': 'perhaps' })).toBe(false);
});

test.each([
  [[500, 502, 503, 504, 520, 529], true],
  [[200, 400, 401, 402, 403, 404, 408, 409, 422, 429, 501, 505], false],
])('isProviderFault for statuses %j returns %s', (statuses, isFault) => {
  for (const status of statuses) expect(isProviderFault(status)).toBe(isFault);
});
