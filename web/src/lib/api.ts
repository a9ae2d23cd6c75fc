import {
  apiKeysRoutes,
  auditLogRoutes,
  authRoutes,
  blacklistRoutes,
  createClient,
  governanceRoutes,
  invitationsRoutes,
  llmProvidersRoutes,
  logsRoutes,
  outboxRoutes,
  providerAccessRoutes,
  providerRegistryRoutes,
  quotaStatusRoutes,
  rolesRoutes,
  settingsRoutes,
  systemRoutes,
  tasksRoutes,
  teamsRoutes,
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
  auditLog: createClient(auditLogRoutes, signedIn),
  apiKeys: createClient(apiKeysRoutes, signedIn),
  blacklist: createClient(blacklistRoutes, signedIn),
  governance: createClient(governanceRoutes, signedIn),
  invitations: createClient(invitationsRoutes, signedIn),
  llmProviders: createClient(llmProvidersRoutes, signedIn),
  logs: createClient(logsRoutes, signedIn),
  outbox: createClient(outboxRoutes, signedIn),
  providerAccess: createClient(providerAccessRoutes, signedIn),
  providerRegistry: createClient(providerRegistryRoutes, signedIn),
  quotaStatus: createClient(quotaStatusRoutes, signedIn),
  roles: createClient(rolesRoutes, signedIn),
  settings: createClient(settingsRoutes, signedIn),
  system: createClient(systemRoutes, anonymous),
  tasks: createClient(tasksRoutes, signedIn),
  teams: createClient(teamsRoutes, signedIn),
  tenants: createClient(tenantsRoutes, signedIn),
  users: createClient(usersRoutes, signedIn),
};

function authorization(): Record<string, string> {
  const token = readToken();
  return token === null ? {} : { authorization: `Bearer ${token}`, ...tenantHeaders() };
}
