import { contract, pathsOf, type RouteRow } from '@sluice/contract';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { failingHandlers, startHttpServer } from '#test/console/console-server.ts';
import { requireDeclaredRoutes, toRouterPath } from './require-declared-routes.ts';

const rows = Object.values<Record<string, RouteRow>>(contract)
  .flatMap((routes) => Object.values(routes))
  .filter(({ surface }) => surface !== 'public');

let app: FastifyInstance;
beforeEach(() => {
  app = fastify();
  requireDeclaredRoutes(app, () => true);
});
afterEach(() => app.close());

const serve = (served: readonly RouteRow[]) => {
  for (const row of served) {
    for (const path of pathsOf(row))
      app.route({ method: row.method, url: toRouterPath(path), handler: async () => 'served' });
  }
};

describe('server start', () => {
  it("the server starts when every row and the console's files are served", async () => {
    serve(rows);
    app.get('/assets/*', async () => 'file');
    await expect(app.ready()).resolves.toBe(app);
  });

  it.each([
    ['another path', 'GET', '/api/v1/admin/secrets'],
    ['another method of a row', 'DELETE', '/api/v1/admin/users/:id'],
    ['a path outside the interface', 'GET', '/debug'],
    ['files by another method', 'POST', '/assets/*'],
  ])('the server fails to start with an undeclared route: %s', (_name, method, url) => {
    expect(() => app.route({ method, url, handler: async () => 'served' })).toThrow(
      `the contract has no row for the route ${method} ${url}`,
    );
  });

  it('the server fails to start if a plugin adds an undeclared route', async () => {
    serve(rows);
    app.register(async (scope) => {
      scope.get('/figures', async () => 'plugin');
    });
    await expect(app.ready()).rejects.toThrow('the contract has no row for the route GET /figures');
  });

  it('the server fails to start if a contract route has no handler, and names the route', async () => {
    serve(rows.filter(({ path }) => path !== '/auth/me'));
    await expect(app.ready()).rejects.toThrow('no handler for GET /api/v1/auth/me of the contract');
  });

  it('startHttpServer fails on a missing row before it listens', async () => {
    const { roles: _, ...handlers } = failingHandlers();
    // safe because the test omits a noun on purpose
    await expect(startHttpServer({ handlers: handlers as never })).rejects.toThrow(
      'no handler for GET /api/v1/admin/roles of the contract',
    );
  });
});
