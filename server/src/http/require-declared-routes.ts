import { contract, pathOf, type RouteRow } from '@sluice/contract';
import type { FastifyInstance } from 'fastify';

/** What the server has beside the contract: the files of the built console. */
const fileRoutes = ['GET /assets/*'];

/**
 * Compares what is served with the contract's management rows; call it before any route is registered. A route that
 * is no row stops the start when it is registered, a row that is not served stops it when all routes are known.
 */
export function requireDeclaredRoutes(app: FastifyInstance): void {
  const declared = new Set(managementRows().map((row) => `${row.method} ${routerPathOf(row)}`));
  const missing = new Set(declared);
  app.addHook('onRoute', ({ method, url }) => {
    for (const verb of [method].flat()) {
      // The router answers HEAD wherever it answers GET.
      const route = `${verb === 'HEAD' ? 'GET' : verb} ${url}`;
      missing.delete(route);
      if (!declared.has(route) && !fileRoutes.includes(route))
        throw new Error(`the contract has no row for the route ${verb} ${url}`);
    }
  });
  app.addHook('onReady', async () => {
    if (missing.size > 0) throw new Error(`nothing serves ${[...missing].join(', ')} of the contract`);
  });
}

/** A row's path as the router writes it: `/users/:id` for `/users/{id}`. */
export function routerPathOf(row: RouteRow): string {
  return pathOf(row).replace(/\{(\w+)\}/g, ':$1');
}

function managementRows(): RouteRow[] {
  return Object.values<Record<string, RouteRow>>(contract)
    .flatMap((rows) => Object.values(rows))
    .filter(({ surface }) => surface === 'management');
}
