import { errorCodes } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { encodeError, encodeStreamError, readErrorMessage } from './errors.ts';

const facts = {
  code: 'rate_limited',
  providerCode: null,
  status: 429,
  message: 'Slow down',
  param: null,
} as const;

describe('an error', () => {
  it("has OpenAI's four fields, and the type of its code", () => {
    expect(encodeError({ ...facts, param: 'model' })).toEqual({
      error: {
        message: 'Slow down',
        type: errorCodes.rate_limited.type,
        param: 'model',
        code: 'rate_limited',
      },
    });
  });

  it("tells the provider's own code where it has one", () => {
    expect(encodeError({ ...facts, providerCode: 'tpm_exceeded' })).toMatchObject({
      error: { code: 'tpm_exceeded' },
    });
  });

  it('is one event in a stream, whatever its words', () => {
    const event = encodeStreamError({ ...facts, message: 'a\n\nb\r\ndata: c' });
    expect(event).toMatch(/^data: [^\n\r]*\n\n$/);
    expect(JSON.parse(event.slice(6)).error.message).toBe('a\n\nb\r\ndata: c');
  });
});

describe("a provider's error", () => {
  it.each<[body: string, said: ReturnType<typeof readErrorMessage>]>([
    ['{"error":{"message":"a","code":"b","param":"c"}}', { message: 'a', code: 'b', param: 'c' }],
    ['{"error":{"message":"a","code":404}}', { message: 'a', code: '404', param: null }],
    ['{"error":{"message":"a","code":{},"param":7}}', { message: 'a', code: null, param: null }],
    ['{"error":"a","code":"b"}', { message: 'a', code: 'b', param: null }],
    ['{"message":"a","type":"b"}', { message: 'a', code: null, param: null }],
    ['{"detail":[{"msg":"a"},{"loc":[]},{"msg":"b"}]}', { message: 'a; b', code: null, param: null }],
    ['{"object":"error","message":{"detail":[{"msg":"a"}]}}', { message: 'a', code: null, param: null }],
    ['[{"error":{"message":"a"}}]', { message: 'a', code: null, param: null }],
    ...[
      '',
      '{}',
      '[]',
      '7',
      'null',
      '{"error":{}}',
      '{"error":""}',
      '<html></html>',
      '{"error":{"message":"a',
    ].map((body): [string, null] => [body, null]),
  ])('%s', (body, said) => {
    expect(readErrorMessage(body)).toEqual(said);
  });

  it('does no harm however deeply it nests', () => {
    const body = `${'{"error":'.repeat(7_000)}"a"${'}'.repeat(7_000)}`;
    expect(() => readErrorMessage(body)).not.toThrow();
  });
});
