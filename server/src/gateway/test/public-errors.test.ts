import { anthropicError, contract, googleError, openaiError, pathOf, type RouteRow } from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import { sendRaw } from '#test/requests/raw-request.ts';

let gateway: TestGateway;
let apiKeyForModels: string;
beforeAll(async () => {
  gateway = await startGateway({
    env: { SLUICE_BODY_LIMIT: '2000' },
    seed: async (seed) => {
      ({ apiKey: apiKeyForModels } = await seed.addPerson({ name: 'reader', scopes: ['models'] }));
    },
  });
});
afterAll(() => gateway.stop());

const shapes = { anthropic: anthropicError, google: googleError, openai: openaiError };
const rows = Object.values(contract)
  .flatMap((noun) => Object.entries<RouteRow>(noun))
  .filter(([, row]) => row.surface === 'public')
  .map(([name, row]) => ({ name, row, dialect: row.dialect ?? 'openai' }) as const);
const paths = [...new Map(rows.map((entry) => [pathOf(entry.row), entry])).values()];
const posts = rows.filter(({ row }) => row.method === 'POST');
const withBody = posts.filter(({ row }) => row.status !== 501);

const send = (row: RouteRow, request: Partial<Parameters<typeof sendRaw>[1]> = {}) =>
  sendRaw(gateway.port, { method: row.method, path: pathOf(row).replaceAll(/\{\w+\}/g, 'x'), ...request });
const bearer = (apiKey: string) => ({ authorization: `Bearer ${apiKey}` });

function readError(dialect: keyof typeof shapes, body: string): { message: string; kind: unknown } {
  const told: unknown = JSON.parse(body);
  for (const [name, shape] of Object.entries(shapes)) {
    expect([name, shape.safeParse(told).success]).toEqual([name, name === dialect]);
  }
  if (dialect === 'anthropic') {
    const { error } = anthropicError.parse(told);
    return { message: error.message, kind: error.type };
  }
  if (dialect === 'google') {
    const { error } = googleError.parse(told);
    return { message: error.message, kind: error.status };
  }
  const { error } = openaiError.parse(told);
  return { message: error.message, kind: error.code };
}

describe.each(rows)('authentication errors of $name in $dialect format', ({ row, dialect }) => {
  it.each([
    [
      'without a key',
      {},
      { openai: 'missing_api_key', anthropic: 'authentication_error', google: 'UNAUTHENTICATED' },
    ],
    [
      'with an invalid key',
      bearer('slc_nobody'),
      { openai: 'invalid_api_key', anthropic: 'authentication_error', google: 'UNAUTHENTICATED' },
    ],
  ])('a public endpoint rejects a caller %s', async (_, headers, kinds) => {
    const { status, body } = await send(row, { headers });
    expect(status).toBe(401);
    expect(readError(dialect, body).kind).toBe(kinds[dialect]);
  });
});

describe.each(posts)('scope errors of $name in $dialect format', ({ row, dialect }) => {
  it('a public endpoint rejects a key without its scope', async () => {
    const { status, body } = await send(row, { headers: bearer(apiKeyForModels), body: '{}' });
    expect(status).toBe(403);
    expect(readError(dialect, body).kind).toBe(
      { openai: 'scope_missing', anthropic: 'permission_error', google: 'PERMISSION_DENIED' }[dialect],
    );
  });
});

describe.each(withBody)('body errors of $name in $dialect format', ({ row, dialect }) => {
  it('a public endpoint rejects a body that is too large', async () => {
    const { status, body } = await send(row, {
      headers: { ...bearer(gateway.apiKey), 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', filler: 'x'.repeat(3_000) }),
    });
    expect(status).toBe(413);
    expect(readError(dialect, body).kind).toBe(
      { openai: 'body_too_large', anthropic: 'request_too_large', google: 'INVALID_ARGUMENT' }[dialect],
    );
  });

  it('a public endpoint rejects a body that is not JSON', async () => {
    const { status, body } = await send(row, { headers: bearer(gateway.apiKey), body: '{"model":' });
    expect(status).toBe(400);
    expect(readError(dialect, body).kind).toBe(
      { openai: 'invalid_json', anthropic: 'invalid_request_error', google: 'INVALID_ARGUMENT' }[dialect],
    );
  });
});

describe.each(withBody)('content types of $name in $dialect format', ({ row, dialect }) => {
  it.each([
    'text/plain',
    'text/plain;charset=UTF-8',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=b',
    'application/jsonp',
    'application/octet-stream',
  ])('a public endpoint rejects a body of type %s', async (type) => {
    const { status, body } = await send(row, {
      headers: { ...bearer(gateway.apiKey), 'content-type': type },
      body: '{}',
    });
    expect(status).toBe(415);
    const { kind, message } = readError(dialect, body);
    expect(kind).toBe(
      { openai: 'unsupported_media_type', anthropic: 'invalid_request_error', google: 'INVALID_ARGUMENT' }[
        dialect
      ],
    );
    expect(message).toContain('application/json');
  });
});

describe.each(paths)('method errors of $name in $dialect format', ({ row, dialect }) => {
  it.each(['PUT', 'DELETE', 'PATCH'])('a public path rejects %s and lists its methods', async (method) => {
    const { status, headers, body } = await send(row, { method });
    expect(status).toBe(405);
    const { message } = readError(dialect, body);
    expect(headers.allow).toContain(row.method);
    expect(message).toContain(row.method);
  });
});

describe.each(paths.filter(({ row }) => row.method === 'POST'))(
  'WebSocket errors of $name in $dialect format',
  ({ row, dialect }) => {
    it('a public path rejects a WebSocket handshake with a 426', async () => {
      const handshake = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
      const { status, headers, body } = await send(row, { method: 'GET', headers: handshake });
      expect([status, headers.upgrade]).toEqual([426, 'HTTP/1.1']);
      expect(readError(dialect, body).message).toMatch(/WebSockets.*POST/);
    });
  },
);

describe('unsupported OpenAI endpoints', () => {
  const unsupported = rows.filter(({ row }) => row.status === 501);

  it.each(unsupported)(
    'an unsupported OpenAI endpoint returns 501 with the supported ones: $name',
    async ({ row }) => {
      const { status, body } = await send(row, { headers: bearer(gateway.apiKey), body: '{"model":"m"}' });
      expect(status).toBe(501);
      const { message, kind } = readError('openai', body);
      expect(kind).toBe('not_supported');
      expect(message).toContain(`${row.path} is not supported here. Supported endpoints: `);
      expect(message).toContain('POST /api/v1/chat/completions');
      expect(message).toContain('POST /api/v1/messages');
      expect(message).not.toContain('POST /api/v1/moderations');
    },
  );

  it('the unsupported OpenAI endpoints are those for audio, completions, images, moderations and rerank', () => {
    expect(unsupported.map(({ row }) => row.path).sort()).toEqual([
      '/audio/speech',
      '/audio/transcriptions',
      '/audio/translations',
      '/completions',
      '/images/edits',
      '/images/generations',
      '/images/variations',
      '/moderations',
      '/rerank',
    ]);
  });
});

describe('unknown paths', () => {
  it.each<[method: string, path: string, dialect: keyof typeof shapes, headers?: Record<string, string>]>([
    ['GET', '/api/v1beta/tunedModels', 'google'],
    ['POST', '/api/v1beta/models/m:predict', 'google'],
    ['POST', '/api/v1/messages/batches', 'anthropic'],
    ['GET', '/api/v1/files', 'anthropic', { 'anthropic-version': '2023-06-01' }],
    ['POST', '/api/v1/files', 'openai'],
    ['POST', '/api/v1/batches', 'openai'],
    ['GET', '/api/v1/responses/resp_1', 'openai'],
    ['DELETE', '/api/v1/responses/resp_1', 'openai'],
    ['POST', '/api/v1/responses/resp_1/cancel', 'openai'],
    ['POST', '/api/v1/conversations', 'openai'],
    ['POST', '/api/v1/not/invented/yet', 'openai'],
  ])(
    "%s %s returns 501 in the caller's format with the supported endpoints",
    async (method, path, dialect, given) => {
      const headers = { ...bearer(gateway.apiKey), ...given };
      const answer = await sendRaw(gateway.port, {
        method,
        path,
        headers,
        ...(method === 'POST' && { body: '{}' }),
      });
      expect(answer.status).toBe(501);
      const { message, kind } = readError(dialect, answer.body);
      expect(kind).toBe(
        { openai: 'not_supported', anthropic: 'api_error', google: 'UNIMPLEMENTED' }[dialect],
      );
      expect(message).toContain(`${method} ${path} is not supported here`);
      expect(message).toContain('POST /api/v1/chat/completions');
      expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    },
  );
});
