import type { RouteTable } from '@sluice/contract';
import { ConsoleError } from '#errors/console-error.ts';
import type { Handlers } from '#http/console-route.ts';

/** Handlers that refuse, for rows that are declared and not yet served. */
export function unbuilt<Routes extends RouteTable>(routes: Routes): Handlers<Routes> {
  const refuse = () => Promise.reject(new ConsoleError(503, 'This is not served yet'));
  // safe because every row of the table gets a handler
  return Object.fromEntries(Object.keys(routes).map((name) => [name, refuse])) as unknown as Handlers<Routes>;
}
