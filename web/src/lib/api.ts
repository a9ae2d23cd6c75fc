import {
  apiKeysRoutes,
  authRoutes,
  createClient,
  llmProvidersRoutes,
  logsRoutes,
  rolesRoutes,
  settingsRoutes,
  systemRoutes,
  usersRoutes,
} from '@sluice/contract';
import { endSession, readToken } from './token.ts';

const anonymous = { baseUrl: '', headers: authorization };
const signedIn = { ...anonymous, onUnauthorized: endSession };

/** The gate's management calls, typed by the contract; a 401 to any of them ends the session. */
export const api = {
  // A refused password is not the end of a session, and a refused token is handled where it is validated.
  auth: createClient(authRoutes, anonymous),
  apiKeys: createClient(apiKeysRoutes, signedIn),
  llmProviders: createClient(llmProvidersRoutes, signedIn),
  logs: createClient(logsRoutes, signedIn),
  roles: createClient(rolesRoutes, signedIn),
  settings: createClient(settingsRoutes, signedIn),
  system: createClient(systemRoutes, anonymous),
  users: createClient(usersRoutes, signedIn),
};

function authorization(): Record<string, string> {
  const token = readToken();
  return token === null ? {} : { authorization: `Bearer ${token}` };
}
