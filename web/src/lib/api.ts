import { type Client, createClient, type RouteTable } from '@sluice/contract';
import { tenantHeaders } from './acting-tenant.ts';
import { untilCallsMayStart } from './held-calls.ts';
import { noteReplica, positionHeaders } from './read-replica.ts';
import { endSession, readToken } from './token.ts';

interface ApiClientOptions {
  /**
   * Whether a 401 response keeps the session. For requests where 401 means a wrong password, or whose caller handles
   * the response.
   */
  isSessionKept?: boolean;
}

/**
 * Returns the typed client for the routes of one noun. Each feature creates its own client, so that other pages do
 * not load its routes.
 */
export function createApiClient<Routes extends RouteTable>(
  routes: Routes,
  { isSessionKept = false }: ApiClientOptions = {},
): Client<Routes> {
  const options = { baseUrl: '', headers: authorization, onHeaders: noteReplica };
  if (isSessionKept) return createClient(routes, options);
  return createClient(routes, { ...options, onUnauthorized: endSession, until: untilCallsMayStart });
}

function authorization(): Record<string, string> {
  const token = readToken();
  return token === null ? {} : { authorization: `Bearer ${token}`, ...tenantHeaders(), ...positionHeaders() };
}
