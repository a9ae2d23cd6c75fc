import { expect, test } from 'vitest';
import { classifyAnswer, classifyError } from '#upstream/classify-failure.ts';
import { UpstreamError, type UpstreamErrorCode } from '#upstream/upstream-error.ts';

const kinds: Record<UpstreamErrorCode, [kind: string, isRetryable: boolean]> = {
  aborted: ['aborted', false],
  blocked_address: ['blocked_address', false],
  body_too_large: ['bad_response', false],
  certificate_refused: ['connect', false],
  connect_failed: ['connect', true],
  connect_timeout: ['timeout', true],
  consumer_failed: ['aborted', false],
  dns_failed: ['connect', true],
  first_byte_timeout: ['timeout', true],
  frame_too_large: ['bad_response', false],
  idle_timeout: ['timeout', true],
  invalid_request: ['connect', false],
  protocol_error: ['bad_response', false],
  redirect_refused: ['bad_response', false],
  reset: ['reset', true],
  total_timeout: ['timeout', false],
  unsupported_encoding: ['bad_response', false],
};

// Safe because the keys of the record are the codes.
test.each(Object.entries(kinds) as [UpstreamErrorCode, [string, boolean]][])(
  '%s is retried before the first byte only if its cause passes, and never after it',
  (code, [kind, isRetryable]) => {
    expect(classifyError(new UpstreamError(code, 'before_first_byte'))).toMatchObject({ kind, isRetryable });
    expect(classifyError(new UpstreamError(code, 'after_first_byte'))).toMatchObject({
      kind,
      isRetryable: false,
    });
  },
);

test('the message of an error names the system code and nothing of its cause', () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:8080'), { code: 'ECONNREFUSED' });
  const { message } = classifyError(new UpstreamError('connect_failed', 'before_first_byte', cause));
  expect(message).toBe('The provider could not be reached (ECONNREFUSED)');
});

test.each([200, 201, 206])('%i is no failure', (status) => {
  expect(classifyAnswer({ status, headers: {} })).toBeNull();
});

test.each([204, 205])('%i, which has no body, is a bad response', (status) => {
  expect(classifyAnswer({ status, headers: {} })).toMatchObject({
    kind: 'bad_response',
    status,
    isRetryable: false,
  });
});

test.each([
  [[408, 409, 425, 429, 500, 502, 503, 504, 520, 529], true],
  [[400, 401, 402, 403, 404, 405, 413, 422, 501, 505], false],
])('%j are retryable: %s', (statuses, isRetryable) => {
  for (const status of statuses) {
    const expected = { kind: 'http', phase: 'before_first_byte', status, isRetryable };
    expect(classifyAnswer({ status, headers: {} })).toMatchObject(expected);
  }
});

test("the provider's own advice wins over the status", () => {
  expect(classifyAnswer({ status: 500, headers: { 'x-should-retry': 'false' } })?.isRetryable).toBe(false);
  expect(classifyAnswer({ status: 400, headers: { 'x-should-retry': 'true' } })?.isRetryable).toBe(true);
});

test('an exhausted balance is not retryable, though it is a 429', () => {
  const body = Buffer.from('{"error":{"code":"insufficient_quota"}}');
  expect(classifyAnswer({ status: 429, headers: {}, body })?.isRetryable).toBe(false);
});

test('the wait that the provider asks for is kept', () => {
  const headers = { 'retry-after': 'Fri, 20 Nov 2026 10:00:30 GMT' };
  const nowMs = Date.parse('2026-11-20T10:00:00Z');
  expect(classifyAnswer({ status: 429, headers }, nowMs)?.retryAfterMs).toBe(30_000);
});

test('the message holds the start of the body, scrubbed', () => {
  const body = Buffer.from('{"error":"Incorrect API key provided: sk-proj-secret1234"}');
  expect(classifyAnswer({ status: 401, headers: {}, body })?.message).toBe(
    'The provider answered 401: {"error":"Incorrect API key provided: [redacted]"}',
  );
  expect(classifyAnswer({ status: 502, headers: {} })?.message).toBe('The provider answered 502');
});

test('the message is capped, and a key on the edge is not cut in half', () => {
  const words = 'no '.repeat(2728);
  const body = Buffer.from(`${words}sk-proj-canary1234 ${'tail '.repeat(100_000)}`);
  const message = classifyAnswer({ status: 500, headers: {}, body })?.message ?? '';
  expect(message.length).toBeLessThan(8 * 1024 + 100);
  expect(message).not.toContain('sk-');
});
