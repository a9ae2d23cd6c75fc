import type { IncomingHttpHeaders } from 'node:http';
import { contract, pathOf, type RouteRow } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { matchRoute } from './routes.ts';

const operationOf = (method: string, url: string) => {
  const match = matchRoute(method, url);
  if (match.kind === 'route') return [match.route.operation, match.parameter];
  return match.kind === 'other_method' ? match.methods.join(' ') : match.kind;
};

describe('matchRoute', () => {
  it.each<[method: string, url: string, operation: string, parameter: string | null]>([
    ['POST', '/api/v1/chat/completions', 'chat.completions', null],
    ['POST', '/api/v1/chat/completions/', 'chat.completions', null],
    ['POST', '/api/v1/chat/completions///', 'chat.completions', null],
    ['POST', '/api/v1/chat/completions?a=/x&b', 'chat.completions', null],
    ['POST', '/api/v1/chat/completions/?a', 'chat.completions', null],
    ['GET', '/api/v1/models', 'models.list', null],
    ['GET', '/api/v1/models/', 'models.list', null],
    ['GET', '/api/v1/models/gpt-4o', 'models.get', 'gpt-4o'],
    ['GET', '/api/v1/models/llama3:latest', 'models.get', 'llama3:latest'],
    ['POST', '/api/v1/models/m:embedContent', 'embeddings', 'm'],
    ['POST', '/api/v1beta/models/m:batchEmbedContents', 'embeddings', 'm'],
    ['GET', '/api/v1/models/gpt-4o/', 'models.get', 'gpt-4o'],
    ['GET', '/api/v1/models/meta/llama-3/8b?x=1', 'models.get', 'meta/llama-3/8b'],
    ['GET', '/api/v1/models/meta%2Fllama%203', 'models.get', 'meta/llama 3'],
    ['GET', '/api/v1/models/100%', 'models.get', '100%'],
    ['GET', '/api/v1/models/__proto__', 'models.get', '__proto__'],
    ['POST', '/api/v1/messages', 'chat.completions', null],
    ['POST', '/api/v1/messages?beta=true', 'chat.completions', null],
    ['POST', '/api/v1/messages/count_tokens?beta=true', 'tokens.count', null],
    ['POST', '/api/v1//chat/completions', 'chat.completions', null],
    ['POST', '/api//v1///messages//', 'chat.completions', null],
    ['POST', '/api/v1beta//models/m:generateContent', 'chat.completions', 'm'],
    ['POST', '/api/v1beta/models/m%3AgenerateContent', 'chat.completions', 'm'],
    ['GET', '/api/v1/models/llama3%3alatest', 'models.get', 'llama3:latest'],
    ['HEAD', '/api/v1/models', 'models.list', null],
    ['HEAD', '/api/v1/models/gpt-4o', 'models.get', 'gpt-4o'],
    ['POST', '/api/v1/completions', 'unsupported', null],
    ['POST', '/api/v1/audio/speech', 'unsupported', null],
  ])('matchRoute finds the operation of %s %s', (method, url, operation, parameter) => {
    expect(operationOf(method, url)).toEqual([operation, parameter]);
  });

  it.each([
    ['GET', '/api/v1/chat/completions', 'POST'],
    ['OPTIONS', '/api/v1/chat/completions', 'POST'],
    ['POST', '/api/v1/models', 'GET'],
    ['DELETE', '/api/v1/models/gpt-4o', 'GET'],
    ['HEAD', '/api/v1/messages', 'POST'],
    ['get', '/api/v1/models', 'GET'],
  ])('matchRoute reports the other methods for %s %s', (method, url, methods) => {
    expect(operationOf(method, url)).toBe(methods);
  });

  it.each([
    '/',
    '',
    '/api/v1',
    '/API/v1/models',
    '//api/v1/models',
    '/v1/models',
    '?/api/v1/models',
    '/api/v1/admin/users',
    '/api/v1/admin/nothing',
    '/api/v1beta',
  ])('matchRoute ignores %j', (url) => {
    expect(operationOf('GET', url)).toBe('none');
  });

  it.each<[method: string, url: string, protocol: string, headers?: IncomingHttpHeaders]>([
    ['GET', '/api/v1beta/tunedModels', 'gemini'],
    ['GET', '/api/v1beta/admin/users', 'gemini'],
    ['POST', '/api/v1beta/models/m:predict', 'gemini'],
    ['POST', '/api/v1/models/m:predictLongRunning', 'gemini'],
    ['POST', '/api/v1/messages/batches', 'anthropic-messages'],
    ['GET', '/api/v1/messages/batches/b1/results', 'anthropic-messages'],
    ['POST', '/api/v1/complete', 'anthropic-messages'],
    ['GET', '/api/v1/files', 'openai-chat'],
    ['GET', '/api/v1/files', 'anthropic-messages', { 'anthropic-version': '2023-06-01' }],
    ['GET', '/api/v1/files', 'gemini', { 'x-goog-api-key': 'k' }],
    ['DELETE', '/api/v1/files/f1', 'openai-chat'],
    ['GET', '/api/v1/responses/resp_1', 'openai-chat'],
    ['DELETE', '/api/v1/responses/resp_1', 'openai-chat'],
    ['GET', '/api/v1/responses/resp_1/input_items', 'openai-chat'],
    ['POST', '/api/v1/responses/resp_1/cancel', 'openai-chat'],
    ['POST', '/api/v1/batches', 'openai-chat'],
    ['POST', '/api/v1/conversations', 'openai-chat'],
    ['POST', '/api/v1/not/invented/yet', 'openai-chat'],
    ['GET', '/api/v1/chat', 'openai-chat'],
    ['GET', '/api/v1/modelsx', 'openai-chat'],
    ['GET', '/api/v1/chat%2Fcompletions', 'openai-chat'],
  ])("matchRoute finds the caller's protocol of the unknown %s %s: %s", (method, url, protocol, headers) => {
    expect(matchRoute(method, url, headers)).toMatchObject({ kind: 'unknown', protocol: { id: protocol } });
  });

  const roots = [
    '',
    '/v1',
    '/api',
    '/api/v1/v1',
    '/api/v1beta/v1',
    '/api/v1alpha',
    '/api/v2',
    '/openai/deployments/m',
  ];
  const tails: readonly (readonly [tail: string, endpoint: string, protocol: string])[] = [
    ['/chat/completions', '/api/v1/chat/completions', 'openai-chat'],
    ['/responses', '/api/v1/responses', 'openai-responses'],
    ['/embeddings', '/api/v1/embeddings', 'openai-chat'],
    ['/messages', '/api/v1/messages', 'anthropic-messages'],
    ['/messages/count_tokens', '/api/v1/messages/count_tokens', 'anthropic-messages'],
    ['/models/m:generateContent', '/api/v1/models/{id}:generateContent', 'gemini'],
    ['/models/m:countTokens', '/api/v1/models/{id}:countTokens', 'gemini'],
  ];
  const misplaced = roots.flatMap((root) =>
    tails.map(([tail, endpoint, protocol]) => ({ url: root + tail, endpoint, protocol })),
  );

  it.each(misplaced)('matchRoute suggests an endpoint for $url', ({ url, endpoint, protocol }) => {
    expect(matchRoute('POST', url)).toMatchObject({
      kind: 'unknown',
      meant: endpoint,
      protocol: { id: protocol },
    });
    expect(matchRoute('GET', url)).not.toMatchObject({ meant: endpoint });
  });

  it.each(['/api/v1/chats/7/messages', '/api/v1/admin/messages', '/logs', '/api/v1/nothing'])(
    'matchRoute suggests no endpoint for POST %s',
    (url) => {
      expect(matchRoute('POST', url)).not.toMatchObject({ meant: expect.any(String) });
    },
  );

  it.each<[url: string, named: string, unnamed: string]>([
    ['/api/v1/models', 'anthropic-messages', 'openai-chat'],
    ['/api/v1/models/m', 'anthropic-messages', 'openai-chat'],
    ['/api/v1/messages', 'anthropic-messages', 'anthropic-messages'],
    ['/api/v1/chat/completions', 'openai-chat', 'openai-chat'],
  ])(
    "matchRoute uses Anthropic's protocol for callers that send its version header: %s",
    (url, named, unnamed) => {
      const protocolOf = (method: string, headers: IncomingHttpHeaders) => {
        const match = matchRoute(method, url, headers);
        if (match.kind === 'route') return match.route.protocol.id;
        return match.kind === 'other_method' ? match.protocol.id : match.kind;
      };
      for (const method of ['GET', 'POST', 'PATCH']) {
        expect(protocolOf(method, { 'anthropic-version': '2023-06-01' })).toBe(named);
        expect(protocolOf(method, {})).toBe(unnamed);
      }
    },
  );

  it('matchRoute finds exactly the paths that the contract marks as public', () => {
    for (const row of Object.values(contract).flatMap((noun) => Object.values(noun))) {
      const url = pathOf(row).replaceAll(/\{\w+\}/g, 'x');
      expect([url, matchRoute(row.method, url).kind]).toEqual([
        url,
        row.surface === 'public' ? 'route' : 'none',
      ]);
    }
  });

  const publicRows = Object.values(contract)
    .flatMap((noun) => Object.values<RouteRow>(noun))
    .filter(({ surface }) => surface === 'public');
  const shortPaths = publicRows.flatMap((row) => {
    const long = pathOf(row).replaceAll(/\{\w+\}/g, 'x');
    const versioned = long.replace('/api', '');
    return [versioned, ...(versioned.startsWith('/v1/') ? [versioned.replace('/v1', '')] : [])].map(
      (short) => [row.method, short, long] as const,
    );
  });

  it.each(shortPaths)(
    'matchRoute finds %s %s as a path of other gateways, unless these paths are disabled',
    (method, short, long) => {
      const match = matchRoute(method, long, {});
      expect(match).toMatchObject({ kind: 'route', isShort: false });
      for (const url of [short, `/${short}/?a=b`]) {
        expect(matchRoute(method, url, {}, true)).toEqual({ ...match, isShort: true });
        expect(matchRoute(method, url).kind).not.toBe('route');
        expect(matchRoute('OPTIONS', url, {}, true).kind).toBe('other_method');
      }
    },
  );

  it('matchRoute does not match the pages of the console or other roots', () => {
    const pages = [
      '/',
      '/admin',
      '/admin/users',
      '/chat',
      '/dashboard',
      '/login',
      '/docs',
      '/api-keys',
      '/tasks',
    ];
    const others = [
      '/healthz',
      '/readyz',
      '/metrics',
      '/scim/v2/Users',
      '/assets/index.js',
      '/v1/admin/users',
    ];
    for (const url of [...pages, ...others])
      expect([url, matchRoute('GET', url, {}, true)]).toEqual([url, { kind: 'none' }]);
    const posted = publicRows
      .filter(({ method }) => method === 'POST')
      .map((row) => pathOf(row).replace('/api/v1', ''));
    for (const url of posted) expect(matchRoute('GET', url, {}, true).kind).not.toBe('other_method');
  });

  it("matchRoute reports an unknown path below /v1 in the caller's protocol", () => {
    const match = matchRoute('POST', '/v1/nothing', { 'anthropic-version': '2023-06-01' }, true);
    expect(match).toMatchObject({ kind: 'unknown', protocol: { id: 'anthropic-messages' } });
  });
});
