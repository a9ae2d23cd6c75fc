import { describe, expect, it } from 'vitest';
import { openaiResponses } from './index.ts';
import { decodeBytes } from './testing/exchange.ts';

const { caller, provider } = openaiResponses;
const facts = {
  code: 'upstream_error',
  providerCode: null,
  status: 502,
  message: 'It broke.',
  param: null,
} as const;

describe('E1: errors', () => {
  it("encodeError writes OpenAI's format", () => {
    expect(caller.encodeError({ ...facts, code: 'rate_limited', param: 'input' })).toEqual({
      error: { message: 'It broke.', type: 'rate_limit_error', param: 'input', code: 'rate_limited' },
    });
    expect(caller.encodeError({ ...facts, providerCode: 'their_code' })).toMatchObject({
      error: { code: 'their_code' },
    });
  });

  it.each<[body: object, code: string | null, param: string | null]>([
    [{ error: { message: 'no', type: 't', param: 'input', code: 'c' } }, 'c', 'input'],
    [{ error: { message: 'no', type: 'invalid_request_error', param: null, code: null } }, null, null],
    [{ code: 'Some code', error: 'no' }, 'Some code', null],
    [{ error: { code: 400, message: 'no', metadata: {} } }, '400', null],
  ])("readErrorMessage reads a provider's error: %o", (body, code, param) => {
    expect(provider.readErrorMessage(JSON.stringify(body))).toEqual({ message: 'no', code, param });
  });

  it('E5: readErrorMessage recognizes a context that is too long under any code', () => {
    const message = 'Your input exceeds the context window of this model.';
    expect(provider.readErrorMessage(JSON.stringify({ error: { message, code: null } }))?.code).toBe(
      'context_length_exceeded',
    );
  });

  it.each(['', '<html>', '{}'])('readErrorMessage returns null for %j', (body) => {
    expect(provider.readErrorMessage(body)).toBeNull();
  });
});

describe('E7: errors after the first byte', () => {
  const frame = caller.encodeStreamError({ ...facts, providerCode: 'their_code' });

  it('encodeStreamError writes one event with both formats that clients read', () => {
    const [name, data, ...rest] = frame.split('\n');
    expect(name).toBe('event: error');
    expect(rest).toEqual(['', '']);
    expect(JSON.parse(String(data?.slice('data: '.length)))).toEqual({
      type: 'error',
      sequence_number: expect.any(Number),
      code: 'their_code',
      message: 'It broke.',
      param: null,
      error: { type: 'upstream_error', code: 'their_code', message: 'It broke.', param: null },
    });
  });

  it('encodeStreamError writes a sequence number above all previous ones', () => {
    const { sequence_number: number } = JSON.parse(frame.slice(frame.indexOf('{')));
    expect(number).toBeGreaterThan(1_000_000_000);
    expect(Number.isSafeInteger(number)).toBe(true);
  });

  it('encodeStreamError writes an event that the decoder reads as an error', () => {
    expect(decodeBytes(Buffer.from(frame))).toEqual([
      { type: 'error', code: 'upstream_error', message: 'It broke.' },
    ]);
  });
});
