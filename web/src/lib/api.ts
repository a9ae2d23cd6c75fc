import { type Client, createClient, type RouteTable } from '@sluice/contract';
import { tenantHeaders } from './acting-tenant.ts';
import { untilCallsMayStart } from './held-calls.ts';
import { noteReplica, positionHeaders } from './read-replica.ts';
import { endSession, readToken } from './token.ts';

interface ApiClientOptions {
  /** Whether a 401 keeps the session, for calls where it means a wrong password or where the caller handles it. */
  isSessionKept?: boolean;
}

/**
 * Returns the typed client of a noun; created by the feature that uses it, so that no other page loads its routes.
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
