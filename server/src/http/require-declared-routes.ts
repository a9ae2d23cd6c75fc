import { contract, pathsOf, type RouteRow } from '@sluice/contract';
import type { FastifyInstance } from 'fastify';

/** Routes outside the contract: the files of the built console. */
const fileRoutes = ['GET /assets/*'];

/**
 * Must be called before routes are registered. Registering a route that the contract does not declare throws. Startup
 * fails if a route of the contract for which `isServed` is true has no handler.
 */
export function requireDeclaredRoutes(app: FastifyInstance, isServed: (row: RouteRow) => boolean): void {
  const rows = declaredRows().filter(isServed);
  const declared = new Set(
    rows.flatMap((row) => pathsOf(row).map((path) => `${row.method} ${toRouterPath(path)}`)),
  );
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

/** `/users/{id}` becomes `/users/:id`. */
export function toRouterPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

function declaredRows(): RouteRow[] {
  return Object.values<Record<string, RouteRow>>(contract)
    .flatMap((rows) => Object.values(rows))
    .filter(({ surface }) => surface !== 'public');
}
