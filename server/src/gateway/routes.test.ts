import { contract, pathOf } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { matchRoute } from './routes.ts';

const operationOf = (method: string, url: string) => {
  const match = matchRoute(method, url);
  if (match.kind === 'route') return [match.route.operation, match.parameter];
  return match.kind === 'other_method' ? match.methods.join(' ') : match.kind;
};

describe('a public path', () => {
  it.each<[method: string, url: string, operation: string, parameter: string | null]>([
    ['POST', '/api/v1/chat/completions', 'chat.completions', null],
    ['POST', '/api/v1/chat/completions/', 'chat.completions', null],
    ['POST', '/api/v1/chat/completions///', 'chat.completions', null],
    ['POST', '/api/v1/chat/completions?a=/x&b', 'chat.completions', null],
    ['POST', '/api/v1/chat/completions/?a', 'chat.completions', null],
    ['GET', '/api/v1/models', 'models.list', null],
    ['GET', '/api/v1/models/', 'models.list', null],
    ['GET', '/api/v1/models/gpt-4o', 'models.get', 'gpt-4o'],
    ['GET', '/api/v1/models/gpt-4o/', 'models.get', 'gpt-4o'],
    ['GET', '/api/v1/models/meta/llama-3/8b?x=1', 'models.get', 'meta/llama-3/8b'],
    ['GET', '/api/v1/models/meta%2Fllama%203', 'models.get', 'meta/llama 3'],
    ['GET', '/api/v1/models/100%', 'models.get', '100%'],
    ['GET', '/api/v1/models/__proto__', 'models.get', '__proto__'],
  ])('%s %s', (method, url, operation, parameter) => {
    expect(operationOf(method, url)).toEqual([operation, parameter]);
  });

  it.each([
    ['GET', '/api/v1/chat/completions', 'POST'],
    ['OPTIONS', '/api/v1/chat/completions', 'POST'],
    ['POST', '/api/v1/models', 'GET'],
    ['DELETE', '/api/v1/models/gpt-4o', 'GET'],
    ['get', '/api/v1/models', 'GET'],
  ])('is told apart from its methods: %s %s', (method, url, methods) => {
    expect(operationOf(method, url)).toBe(methods);
  });

  it.each([
    '/',
    '',
    '/api/v1',
    '/api/v1/chat',
    '/api/v1/chat/completions/x',
    '/api/v1/modelsx',
    '/API/v1/models',
    '//api/v1/models',
    '/api/v1/chat%2Fcompletions',
    '/v1/models',
    '?/api/v1/models',
    '/api/v1/admin/users',
  ])("is nobody else's: %s", (url) => {
    expect(operationOf('GET', url)).toBe('none');
  });

  it('is every one that the contract calls public, and no other', () => {
    for (const row of Object.values(contract).flatMap((noun) => Object.values(noun))) {
      const url = pathOf(row).replaceAll(/\{\w+\}/g, 'x');
      expect([url, matchRoute(row.method, url).kind]).toEqual([
        url,
        row.surface === 'public' ? 'route' : 'none',
      ]);
    }
  });
});
