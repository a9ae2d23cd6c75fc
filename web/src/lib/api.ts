import {
  apiKeysRoutes,
  authRoutes,
  createClient,
  type RouteTable,
  systemRoutes,
  tenantsRoutes,
  usersRoutes,
} from '@sluice/contract';
import { tenantHeaders } from './acting-tenant.ts';
import { endSession, readToken } from './token.ts';

const anonymous = { baseUrl: '', headers: authorization };
const signedIn = { ...anonymous, onUnauthorized: endSession };

/** The gate's management calls, typed by the contract; a 401 to any of them ends the session. */
export const api = {
  // A refused password is not the end of a session, and a refused token is handled where it is validated.
  auth: createClient(authRoutes, anonymous),
  apiKeys: createClient(apiKeysRoutes, signedIn),
  system: createClient(systemRoutes, anonymous),
  tenants: createClient(tenantsRoutes, signedIn),
  users: createClient(usersRoutes, signedIn),
};

/** The calls of one noun, for the pages that alone make them: no other page then loads what describes them. */
export const createNounClient = <Routes extends RouteTable>(routes: Routes) => createClient(routes, signedIn);

function authorization(): Record<string, string> {
  const token = readToken();
  return token === null ? {} : { authorization: `Bearer ${token}`, ...tenantHeaders() };
}
