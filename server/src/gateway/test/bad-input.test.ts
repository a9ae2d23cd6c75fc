import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hello, startGateway, type TestGateway } from '#test/console/gateway.ts';
import { type RawRequest, sendRaw } from '#test/requests/raw-request.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ seed: (seed) => seed.addTasks(12, 2_147_483_647) });
});
afterAll(() => gateway.stop());

const send = ({ headers, ...more }: RawRequest) =>
  sendRaw(gateway.port, { ...more, headers: { authorization: `Bearer ${gateway.apiKey}`, ...headers } });

let refusals = 0;
const expectRefusal = async (request: RawRequest, status: number, code: string, param: string | null) => {
  const answer = await send(request);
  expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  expect({ status: answer.status, ...JSON.parse(answer.body) }).toEqual({
    status,
    error: { message: expect.stringMatching(/\w/), type: 'invalid_request_error', param, code },
  });
  refusals++;
};

const valid = { model: 'sandbox-echo', messages: hello };
const withField = (name: string, value: string) =>
  `${JSON.stringify(valid).slice(0, -1)},"${name}":${value}}`;
const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);
const spaces = Buffer.alloc(1024 * 1024, ' ');

describe('unreadable bodies', () => {
  it.each<[name: string, code: string, body: string | Buffer]>([
    ['nothing', 'invalid_json', ''],
    ['white space', 'invalid_json', ' \r\n'],
    ['half of a JSON text', 'invalid_json', '{"model": "sandbox-echo",'],
    ['two JSON texts', 'invalid_json', '{}{}'],
    ['a comma too many', 'invalid_json', '{"model": "sandbox-echo",}'],
    ['single quotes', 'invalid_json', "{'model': 'sandbox-echo'}"],
    ['NaN', 'invalid_json', withField('temperature', 'NaN')],
    ['a bare line feed in a string', 'invalid_json', withField('user', '"a\nb"')],
    ['a bare NUL', 'invalid_json', withField('user', '"a\0b"')],
    ['bytes that are no UTF-8', 'invalid_json', Buffer.from(withField('user', '"\xff"'), 'latin1')],
    ['half of a UTF-8 character', 'invalid_json', Buffer.from(withField('user', '"\xc3"'), 'latin1')],
    [
      'a surrogate written as UTF-8',
      'invalid_json',
      Buffer.from(withField('user', '"\xed\xa0\x80"'), 'latin1'),
    ],
    ['UTF-16', 'invalid_json', Buffer.from(JSON.stringify(valid), 'utf16le')],
    ['a byte order mark', 'invalid_json', `\uFEFF${JSON.stringify(valid)}`],
    ['a list', 'invalid_request', '[]'],
    ['a string', 'invalid_request', '"hello"'],
    ['a number', 'invalid_request', '7'],
    ['null', 'invalid_request', 'null'],
    ['lists 10,000 deep', 'invalid_request', withField('metadata', nested('[', ']', 10_000))],
    [
      'objects 10,000 deep',
      'invalid_request',
      withField('metadata', `${nested('{"a":', '}', 10_000)}`.replace('}', '1}')),
    ],
    ['a list 5,000,000 deep', 'invalid_request', nested('[', ']', 5_000_000)],
    ['a list 5,000,000 deep without end', 'invalid_request', '['.repeat(5_000_000)],
  ])('the gateway returns 400 for an unreadable body: %s', (_, code, body) =>
    expectRefusal({ body }, 400, code, null),
  );
});

describe('duplicate fields', () => {
  it.each<[name: string, param: string, body: string]>([
    ['plainly', 'model', withField('model', '"sandbox-normal"')],
    ['in escapes', 'model', withField('mod\\u0065l', '"sandbox-normal"')],
    ['in an unknown field', 'x', `{"x":1,${withField('x', '1').slice(1)}`],
    ['in the field __proto__', '__proto__', `{"__proto__":1,${withField('__proto__', '{}').slice(1)}`],
    ['inside, by the field that holds it', 'x', withField('x', '[{"a":1,"b":{"c":1,"c":2}}]')],
    ['in another case', 'Model', withField('Model', '"sandbox-normal"')],
    ['in another case, alone', 'MAX_TOKENS', withField('MAX_TOKENS', '100000')],
  ])('the gateway returns 400 naming a duplicate or miscased field: %s', (_, param, body) =>
    expectRefusal({ body }, 400, 'duplicate_field', param),
  );
});

describe('invalid fields', () => {
  const wrong: Record<string, string[]> = {
    model: ['7', 'null', '""', '[]'],
    messages: ['"hello"', '[]', 'null', '{}'],
    'messages[0]': ['["hello"]', '[null]'],
    'messages[0].role': ['[{"content":"x"}]', '[{"role":"wizard","content":"x"}]'],
    'messages[0].content': ['[{"role":"user","content":7}]', '[{"role":"user","content":{"text":"x"}}]'],
    stream: ['"yes"', '1', '{}'],
    stream_options: ['true', '"usage"'],
    max_tokens: ['0', '-1', '1.5', '"10"', '1e400', '99999999999999999999'],
    max_completion_tokens: ['0', '-1', '1.5', '"10"'],
    temperature: ['-0.1', '2.1', '"0.5"', '1e999'],
    top_p: ['-0.1', '1.1', '[]'],
    n: ['0', '129', '1.5', '"2"'],
    stop: ['7', '[1]'],
    presence_penalty: ['-2.1', '2.1', '"1"'],
    frequency_penalty: ['-2.1', '2.1', '"1"'],
    seed: ['"x"', '1.5'],
    tools: ['{}', '"search"'],
    user: ['7'],
    metadata: ['"x"', '[]'],
    'metadata.task_id': ['{"task_id":0}', '{"task_id":"abc"}'],
    task_id: [
      '0',
      '-1',
      '1.5',
      '""',
      '"0"',
      '"01"',
      '"12 "',
      '"abc"',
      'true',
      '{}',
      '2147483648',
      '"9999999999"',
      '1e300',
    ],
    format: ['"short"', '7'],
  };
  const cases = Object.entries(wrong).flatMap(([param, values]) => values.map((value) => ({ param, value })));
  it.each(cases)(
    'the gateway returns 400 naming an invalid field: $param: $value',
    async ({ param, value }) => {
      const { [topLevelName(param)]: _, ...others }: Record<string, unknown> = valid;
      const body = `{"${topLevelName(param)}":${value},${JSON.stringify(others).slice(1)}`;
      await expectRefusal({ body }, 400, 'invalid_request', param);
    },
  );

  it.each(['model', 'messages'])('the gateway returns 400 if %s is missing', async (param) => {
    const { [param]: _, ...others }: Record<string, unknown> = valid;
    await expectRefusal({ body: JSON.stringify(others) }, 400, 'invalid_request', param);
  });

  it('the gateway rejects format "minimal" for a stream', () =>
    expectRefusal(
      { body: JSON.stringify({ ...valid, stream: true, format: 'minimal' }) },
      400,
      'invalid_request',
      'format',
    ));
});

describe('requests rejected for other reasons', () => {
  it('the gateway returns 404 naming an unknown model', () =>
    expectRefusal({ body: JSON.stringify({ ...valid, model: 'gpt-99' }) }, 404, 'model_not_found', 'model'));

  it('the gateway returns 413 for a body above the limit with a declared length', () =>
    expectRefusal({ body: Buffer.alloc(50 * spaces.length) }, 413, 'body_too_large', null));

  it('the gateway returns 413 for a chunked body above the limit', () =>
    expectRefusal({ body: Array<Buffer>(50).fill(spaces) }, 413, 'body_too_large', null));

  it.each(['gzip', 'br', 'zstd', 'deflate', 'x-snappy'])(
    'the gateway returns 415 for a body compressed with %s',
    (encoding) =>
      expectRefusal(
        { headers: { 'content-encoding': encoding }, body: spaces },
        415,
        'unsupported_media_type',
        null,
      ),
  );

  it.each(['GET', 'PUT', 'PATCH', 'DELETE'])(
    'the gateway returns 405 for %s with the allowed methods',
    async (method) => {
      const answer = await send({ method });
      expect([answer.status, answer.headers.allow, answer.headers['x-request-id']]).toEqual([
        405,
        'POST',
        expect.stringMatching(/^[0-9a-f-]{36}$/),
      ]);
      expect(JSON.parse(answer.body).error.code).toBe('method_not_allowed');
    },
  );

  it('the gateway rejects an unknown path and lists the endpoints', async () => {
    const answer = await send({ path: '/api/v1/chat/complections', body: JSON.stringify(valid) });
    expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([501, 'not_supported']);
    expect(JSON.parse(answer.body).error.message).toContain('POST /api/v1/chat/completions');
    expect(answer.headers['x-request-id']).toBeDefined();
  });
});

describe.concurrent('unusual but valid requests', () => {
  const expectEcho = async (request: RawRequest, echo = 'Hello there') => {
    const answer = await send(request);
    expect([answer.status, answer.body]).toEqual([200, expect.stringContaining('"chat.completion"')]);
    expect(JSON.parse(answer.body).choices[0].message.content).toBe(echo);
    return gateway.waitForRow(String(answer.headers['x-request-id']));
  };
  const withText = (text: string) =>
    JSON.stringify({ model: 'sandbox-echo', messages: [{ role: 'user', content: text }] });

  it('NUL in a string reaches the provider and is replaced in the row', async () => {
    const row = await expectEcho({ body: withText('a\0b') }, 'a\0b');
    expect([row.prompt, row.response]).toEqual(['a\uFFFDb', 'a\uFFFDb']);
    expect(row.request_body).toContain('a\\u0000b');
  });

  it('a lone surrogate is replaced in the row', async () => {
    const row = await expectEcho({ body: withText('a\uD800b') }, 'a\uD800b');
    expect([row.status, row.prompt]).toEqual(['success', 'a\uFFFDb']);
  });

  it('unknown query parameters and trailing slashes are ignored', () =>
    expectEcho({
      path: '/api/v1/chat/completions//?beta=true&model=x&__proto__=1',
      body: JSON.stringify(valid),
    }));

  it.each([
    {},
    { 'content-type': 'application/json' },
    { 'content-type': 'Application/JSON; charset=utf-8' },
    { 'content-encoding': 'identity' },
  ])('a body with the headers %j is read as JSON', async (headers) => {
    await expectEcho({ headers, body: JSON.stringify(valid) });
  });

  it('a caller that sends "Expect: 100-continue" gets a response', () =>
    expectEcho({ headers: { expect: '100-continue' }, body: JSON.stringify(valid) }));

  it('duplicate headers and invalid request ids are accepted', async () => {
    const row = await expectEcho({
      headers: { 'x-request-id': ['one', 'two'], 'x-odd': '\xff' },
      body: JSON.stringify(valid),
    });
    expect(row.client_request_id).toBeNull();
  });

  it('a task can be named as a number, a string or in the metadata', async () => {
    const rows = await Promise.all(
      [
        { task_id: 12 },
        { task_id: '12' },
        { metadata: { task_id: '12' } },
        { task_id: 2_147_483_647 },
        { task_id: null },
      ].map((task) => expectEcho({ body: JSON.stringify({ ...valid, ...task }) })),
    );
    expect(rows.map((row) => row.task_id)).toEqual([12, 12, 12, 2_147_483_647, null]);
  });
});

it('bad input logs no problems, and every rejection is counted in the log', async () => {
  expect((await gateway.complete({ model: 'sandbox-normal' })).status).toBe(200);
  expect(gateway.problems).toEqual([]);
  await gateway.drain();
  const refused = (await gateway.readRows()).filter(({ status }) => status === 'refused');
  expect(refused.reduce((sum, { repeats }) => sum + repeats, 0)).toBe(refusals);
  expect(new Set(refused.map((row) => row.error_code))).toEqual(
    new Set([
      'invalid_json',
      'invalid_request',
      'duplicate_field',
      'model_not_found',
      'body_too_large',
      'unsupported_media_type',
    ]),
  );
});

function topLevelName(param: string): string {
  return param.replace(/[.[].*/, '');
}
