import { contract, pathOf, type RouteRow } from '@sluice/contract';
import type { FastifyInstance } from 'fastify';

/** Routes outside the contract: the files of the built console. */
const fileRoutes = ['GET /assets/*'];

/**
 * Compares served routes with the contract's management and SCIM rows that this installation serves; call it before registering routes. An undeclared route
 * fails its registration, an unserved row fails the start when all routes are known.
 */
export function requireDeclaredRoutes(app: FastifyInstance, isServed: (row: RouteRow) => boolean): void {
  const rows = declaredRows().filter(isServed);
  const declared = new Set(rows.flatMap((row) => routerPathsOf(row).map((path) => `${row.method} ${path}`)));
  const missing = new Set(declared);
  app.addHook('onRoute', ({ method, url }) => {
    for (const verb of [method].flat()) {
      // The router serves HEAD for every GET.
      const route = `${verb === 'HEAD' ? 'GET' : verb} ${url}`;
      missing.delete(route);
      if (!declared.has(route) && !fileRoutes.includes(route))
        throw new Error(`the contract has no row for the route ${verb} ${url}`);
    }
  });
  app.addHook('onReady', async () => {
    if (missing.size > 0) throw new Error(`no handler for ${[...missing].join(', ')} of the contract`);
  });
}

/** Converts a row's path to the router's syntax: `/users/{id}` becomes `/users/:id`. */
export function routerPathOf(row: RouteRow): string {
  return pathOf(row).replace(/\{(\w+)\}/g, ':$1');
}

/** Returns the paths of a row in the router's syntax. */
export const routerPathsOf = (row: RouteRow): readonly string[] => {
  const path = routerPathOf(row);
  return row.format === 'litellm' ? [path, `/v1${path}`] : [path];
};

function declaredRows(): RouteRow[] {
  return Object.values<Record<string, RouteRow>>(contract)
    .flatMap((rows) => Object.values(rows))
    .filter(({ surface }) => surface !== 'public');
}
