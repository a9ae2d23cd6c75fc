import { errorCodes } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { encodeError, encodeStreamError, readErrorMessage, readFailure } from './errors.ts';

describe('readErrorMessage', () => {
  it.each<[shape: string, body: unknown, code: string | null, param?: string]>([
    ["OpenAI's", { error: { message: 'no', type: 't', param: 'model', code: 'c' } }, 'c', 'model'],
    ["OpenRouter's, with a numeric code", { error: { message: 'no', code: 499 }, user_id: 'u' }, '499'],
    [
      "Azure's, with an inner error",
      { error: { code: '499', message: 'no', innererror: { code: 'X' } } },
      '499',
    ],
    [
      "Mistral's, at the top level",
      { object: 'error', message: 'no', type: 't', param: null, code: '1500' },
      '1500',
    ],
    ["Mistral's, in brief", { message: 'no', request_id: '0000' }, null],
    ["Mistral's detail", { detail: 'no' }, null],
    ['a list of details', { detail: [{ loc: ['body'], msg: 'no' }] }, null],
    [
      'details inside the message',
      { object: 'error', message: { detail: [{ msg: 'no' }] }, code: null },
      null,
    ],
    ["xAI's, the text as the error", { code: 'Some code', error: 'no' }, 'Some code'],
    ["Hugging Face's and Ollama's", { error: 'no', estimated_time: 20 }, null],
    ["Google's, in a list", [{ error: { code: 400, message: 'no', status: 'INVALID_ARGUMENT' } }], '400'],
    ['a param that is not a string', { error: { message: 'no', param: { a: 1 }, code: { b: 2 } } }, null],
    ['a plain string', 'no', null],
  ])('readErrorMessage reads the form %s', (_, body, code, param) => {
    expect(readErrorMessage(JSON.stringify(body))).toEqual({ message: 'no', code, param: param ?? null });
  });

  it('readErrorMessage joins several details', () => {
    const body = { detail: [{ msg: 'first' }, { msg: 'second' }, {}, null] };
    expect(readErrorMessage(JSON.stringify(body))?.message).toBe('first; second');
  });

  it('readErrorMessage does not throw for 7,000 nested errors', () => {
    const body = `${'{"error":'.repeat(7_000)}"a"${'}'.repeat(7_000)}`;
    expect(() => readErrorMessage(body)).not.toThrow();
  });

  it.each(['', '<html>', '{}', '[]', 'null', '7', '{"error":{}}', '{"error":{"message":""}}', '{"a":'])(
    'readErrorMessage returns null for %s',
    (body) => {
      expect(readErrorMessage(body)).toBeNull();
    },
  );
});

describe('readErrorMessage normalizes common codes', () => {
  const codeOf = (error: object) => readErrorMessage(JSON.stringify({ error }))?.code;

  it.each([
    ["This model's maximum context length is 1048565 tokens. However, you requested 1250025 tokens"],
    ['prompt too long; exceeded max context length by 1119046 tokens'],
    ['The prompt is too long for this model'],
    ['Requested tokens exceed the context window of this model'],
  ])('readErrorMessage recognizes a context that is too long: %s', (message) => {
    expect(codeOf({ message, code: 'invalid_request_error' })).toBe('context_length_exceeded');
  });

  it.each([
    [{ message: 'Incorrect API key provided: xai-...', code: 'Client specified an invalid argument' }],
    [{ message: 'Invalid API key provided.', type: 'invalid_api_key', code: 401 }],
    [{ message: 'Wrong', code: 'invalid_api_key' }],
  ])('readErrorMessage recognizes an invalid key: %j', (error) => {
    expect(codeOf(error)).toBe('invalid_api_key');
  });

  it.each([
    [{ message: 'You exceeded your quota', type: 'insufficient_quota', code: null }],
    [{ message: 'You exceeded your quota', code: 'insufficient_quota' }],
  ])('readErrorMessage recognizes an account without credit: %j', (error) => {
    expect(codeOf(error)).toBe('insufficient_quota');
  });

  it('readErrorMessage keeps the code if a tool name in the message contains the words of an invalid key', () => {
    expect(codeOf({ message: "The tool 'invalid api key finder' is unknown", code: 'c' })).toBe('c');
  });
});

it.each<[error: object, expected: string]>([
  [{ code: 429 }, 'rate_limited'],
  [{ code: 'rate_limit_exceeded' }, 'rate_limited'],
  [{ code: '503' }, 'upstream_overloaded'],
  [{ code: 529 }, 'upstream_overloaded'],
  [{ type: 'overloaded_error' }, 'upstream_overloaded'],
  [{ code: 400 }, 'provider_rejected'],
  [{ code: 401 }, 'provider_auth_failed'],
  [{ code: 402 }, 'provider_out_of_credit'],
  [{ code: 403 }, 'provider_auth_failed'],
  [{ code: 404 }, 'provider_rejected'],
  [{ code: 408 }, 'upstream_timeout'],
  [{ code: 'tool_use_failed', type: 'invalid_request_error', status_code: 400 }, 'provider_rejected'],
  [{ type: 'server_error', code: null }, 'upstream_error'],
  [{ code: 500 }, 'upstream_error'],
  [{}, 'upstream_error'],
])('readFailure maps an error of %j to %s', (error, expected) => {
  expect(readFailure({ error: { message: 'no', ...error } })).toMatchObject({
    code: expected,
    message: 'no',
  });
});

describe('readErrorMessage names the field of a validation error', () => {
  const detail = [{ type: 'missing', loc: ['body', 'messages', 0, 'content'], msg: 'Field required' }];
  it.each<[form: string, body: object]>([
    ['a list of details', { detail }],
    ['details inside the message', { object: 'error', message: { detail }, type: 'invalid_request_error' }],
    ['details inside the error', { error: { message: 'Invalid', detail } }],
    ['a single detail', { detail: detail[0] }],
  ])('readErrorMessage names the field in %s', (_, body) => {
    expect(readErrorMessage(JSON.stringify(body))?.param).toBe('messages[0].content');
  });

  it.each([[[]], [['body']], [[null]], ['messages']])(
    'readErrorMessage names no field for the location %j',
    (loc) => {
      expect(readErrorMessage(JSON.stringify({ detail: [{ loc, msg: 'no' }] }))?.param).toBeNull();
    },
  );
});

describe('encodeError', () => {
  const facts = {
    code: 'rate_limited',
    providerCode: null,
    status: 429,
    message: 'wait',
    param: null,
  } as const;

  it.each(Object.entries(errorCodes))(
    "encodeError writes the code %s and its type in OpenAI's format",
    (code, { type }) => {
      // safe because the keys of the catalogue are its codes
      const body = encodeError({ ...facts, code: code as keyof typeof errorCodes });
      expect(body).toEqual({ error: { message: 'wait', type, param: null, code } });
    },
  );

  it("encodeError prefers the provider's own code", () => {
    const told = encodeError({ ...facts, providerCode: 'rate_limit_exceeded', param: 'model' });
    expect(told).toMatchObject({ error: { code: 'rate_limit_exceeded', param: 'model' } });
  });

  it('encodeStreamError writes one event without an end marker', () => {
    const text = encodeStreamError(facts);
    expect(text).toMatch(/^data: \{"error":.*\}\n\n$/);
    expect(text).not.toContain('[DONE]');
  });

  it('encodeStreamError writes a message with line breaks as one event', () => {
    const text = encodeStreamError({ ...facts, message: 'a\n\nb\r\ndata: c' });
    expect(text).toMatch(/^data: [^\n\r]*\n\n$/);
    expect(JSON.parse(text.slice(6)).error.message).toBe('a\n\nb\r\ndata: c');
  });
});
