import { describe, expect, it } from 'vitest';
import { openaiResponses } from './index.ts';
import { answerContext, decodeBytes } from './testing/exchange.ts';

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
  ])("readErrorMessage reads a provider's error: %j", (body, code, param) => {
    expect(provider.readErrorMessage(JSON.stringify(body))).toEqual({ message: 'no', code, param });
  });

  it('E5: readErrorMessage recognizes a context that is too long by the message alone', () => {
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
  const start = { type: 'start', id: 'resp_1', model: 'gpt-9', createdAtSeconds: 5 } as const;
  const readFrame = (frame: string) => {
    const [error, data, ...rest] = frame.split('\n').filter((line) => line.startsWith('data: '));
    expect(rest).toEqual([]);
    expect(frame.match(/^event: .*/gm)).toEqual(['event: error', 'event: response.failed']);
    const [first, last] = [error, data].map((line) => JSON.parse(String(line?.slice('data: '.length))));
    expect(first).toMatchObject({ type: 'error', message: 'It broke.' });
    expect(last.sequence_number).toBe(first.sequence_number + 1);
    return last;
  };
  const endAfter = (data: string, count = 3) =>
    caller.encodeStreamError({ ...facts, providerCode: 'their_code' }, answerContext, {
      start,
      last: { event: 'message', data },
      count,
    });

  it('encodeStreamError writes an error and the failed response as the next events of the stream', () => {
    expect(readFrame(endAfter('{"type":"response.output_text.delta","sequence_number":41}'))).toMatchObject({
      type: 'response.failed',
      sequence_number: 43,
      response: {
        id: 'resp_1',
        object: 'response',
        model: 'gpt-9',
        created_at: 5,
        status: 'failed',
        error: { code: 'server_error', message: 'It broke.' },
      },
    });
  });

  it('encodeStreamError counts the events of a stream that does not number them', () => {
    expect(readFrame(endAfter('{"type":"response.output_text.delta"}')).sequence_number).toBe(4);
    expect(readFrame(endAfter('not JSON')).sequence_number).toBe(4);
  });

  it('encodeStreamError writes the first events of an empty stream', () => {
    const frame = caller.encodeStreamError({ ...facts, providerCode: null }, answerContext);
    expect(readFrame(frame)).toMatchObject({ sequence_number: 1, response: { status: 'failed' } });
  });

  it('encodeStreamError writes events that the decoder reads as an error', () => {
    expect(decodeBytes(Buffer.from(endAfter('{}')))).toMatchObject([
      { type: 'error', code: 'upstream_error', message: 'It broke.' },
    ]);
  });
});
