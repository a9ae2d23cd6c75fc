import { expect, test } from 'vitest';
import { toUpstreamError, UpstreamError } from './upstream-error.ts';

const systemError = (code: string) => Object.assign(new Error('text'), { code });

test.each([
  ['ECONNREFUSED', 'connect_failed'],
  ['EHOSTUNREACH', 'connect_failed'],
  ['ECONNRESET', 'connect_failed'],
  ['ETIMEDOUT', 'connect_timeout'],
  ['UND_ERR_CONNECT_TIMEOUT', 'connect_timeout'],
  ['ENOTFOUND', 'dns_failed'],
  ['EAI_AGAIN', 'dns_failed'],
  ['CERT_HAS_EXPIRED', 'certificate_refused'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate_refused'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'certificate_refused'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate_refused'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate_refused'],
  ['UND_ERR_CLOSED', 'aborted'],
])('toUpstreamError maps %s before sending to %s', (systemCode, code) => {
  const error = toUpstreamError(systemError(systemCode), { isSent: false, phase: 'before_first_byte' });
  expect(error).toMatchObject({ code, phase: 'before_first_byte', cause: { code: systemCode } });
});

test.each(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'UND_ERR_SOCKET'])(
  'toUpstreamError maps %s to `reset` after the request was sent',
  (systemCode) => {
    const error = toUpstreamError(systemError(systemCode), { isSent: true, phase: 'after_first_byte' });
    expect(error).toMatchObject({ code: 'reset', phase: 'after_first_byte' });
  },
);

test('toUpstreamError returns an UpstreamError unchanged', () => {
  const error = new UpstreamError('idle_timeout', 'after_first_byte');
  expect(toUpstreamError(error, { isSent: true, phase: 'before_first_byte' })).toBe(error);
});
