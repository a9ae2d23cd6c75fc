import { type Client, createClient, type RouteTable } from '@sluice/contract';
import { tenantHeaders } from './acting-tenant.ts';
import { untilCallsMayStart } from './held-calls.ts';
import { endSession, readToken } from './token.ts';

interface ApiClientOptions {
  /** A 401 ends the session unless this is set: a refused password does not, and a refused token is handled by the caller. */
  isSessionKept?: boolean;
}

/** The management calls of one noun, typed by the contract; made where they are used, so that no other page loads them. */
export function createApiClient<Routes extends RouteTable>(
  routes: Routes,
  { isSessionKept = false }: ApiClientOptions = {},
): Client<Routes> {
  const options = { baseUrl: '', headers: authorization };
  if (isSessionKept) return createClient(routes, options);
  return createClient(routes, { ...options, onUnauthorized: endSession, until: untilCallsMayStart });
}

function authorization(): Record<string, string> {
  const token = readToken();
  return token === null ? {} : { authorization: `Bearer ${token}`, ...tenantHeaders() };
}
