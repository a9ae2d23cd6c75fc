import { contract, type RouteRow } from '@sluice/contract';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { failingHandlers, startHttpServer } from '../../test/console-server.ts';
import { requireDeclaredRoutes, routerPathOf } from './require-declared-routes.ts';

const rows = Object.values<Record<string, RouteRow>>(contract)
  .flatMap((routes) => Object.values(routes))
  .filter(({ surface }) => surface === 'management');

let app: FastifyInstance;
beforeEach(() => {
  app = fastify();
  requireDeclaredRoutes(app);
});
afterEach(() => app.close());

const serve = (served: readonly RouteRow[]) => {
  for (const row of served) {
    app.route({ method: row.method, url: routerPathOf(row), handler: async () => 'served' });
  }
};

describe('the start', () => {
  it('succeeds when each row is served, and the files of the console', async () => {
    serve(rows);
    app.get('/assets/*', async () => 'file');
    await expect(app.ready()).resolves.toBe(app);
  });

  it.each([
    ['another path', 'GET', '/api/v1/admin/secrets'],
    ['another method of a row', 'DELETE', '/api/v1/admin/users/:id'],
    ['a path outside the interface', 'GET', '/debug'],
    ['files by another method', 'POST', '/assets/*'],
  ])('fails at %s', (_name, method, url) => {
    expect(() => app.route({ method, url, handler: async () => 'served' })).toThrow(
      `the contract has no row for the route ${method} ${url}`,
    );
  });

  it('fails at a route that a plugin brings', async () => {
    serve(rows);
    app.register(async (scope) => {
      scope.get('/figures', async () => 'plugin');
    });
    await expect(app.ready()).rejects.toThrow('the contract has no row for the route GET /figures');
  });

  it('fails when a row is not served, and names it', async () => {
    serve(rows.filter(({ path }) => path !== '/auth/me'));
    await expect(app.ready()).rejects.toThrow('nothing serves GET /api/v1/auth/me of the contract');
  });

  it('of the server itself fails before it listens', async () => {
    const { roles: _, ...handlers } = failingHandlers();
    // safe because leaving a noun out is the point
    await expect(startHttpServer({ handlers: handlers as never })).rejects.toThrow(
      'nothing serves GET /api/v1/admin/roles of the contract',
    );
  });
});
