import { type ManagementScope, type Permission, type RouteRow, scopeOf } from '@sluice/contract';
import type { FastifyRequest } from 'fastify';
import { shareOfAddress, withShare } from '#db/fair-pool.ts';
import { isApiKey, isForeignApiKey, isManagementToken } from '#domain/api-key.ts';
import {
  isAllowed,
  keyLimitsOf,
  type ManagementTokenCredential,
  mustSetUpSecondFactor,
  type Principal,
} from '#domain/principal.ts';
import { CodedError, ConsoleError, databaseAway } from '#errors/console-error.ts';
import { actForTenant, type FindTenantId } from './act-for-tenant.ts';
import type { RequestSource } from './caller-address.ts';

export interface TokenCall {
  readonly principal: Principal;
  /** Super administrators may choose another tenant. */
  readonly actingTenantId: number;
  readonly token: ManagementTokenCredential;
  readonly action: string;
  readonly requestId: string;
  readonly address: string;
}

type OwnerOfKey = Principal & { readonly isActive: boolean };

export interface AuthorizeDeps {
  /** Returns `null` for an invalid token. */
  readonly authenticateSession: (token: string) => Promise<Principal | null>;
  /** Returns `null` for an invalid key. */
  readonly authenticateApiKey: (
    apiKey: string,
    connection: object,
    address: string,
  ) => OwnerOfKey | null | Promise<OwnerOfKey | null>;
  /** Returns `null` for an invalid token. Rejected tokens count against the address. */
  readonly authenticateToken: (token: string, address: string) => Promise<Principal | null>;
  /** Called for each permitted call, before the handler of the route. */
  readonly recordTokenCall: (call: TokenCall) => Promise<void>;
  readonly findTenantId: FindTenantId;
  readonly isDatabaseReachable: () => boolean;
  readonly findSource: (request: FastifyRequest['raw']) => RequestSource;
}

/**
 * Returns `null` on public rows.
 * @throws ConsoleError 401 without valid credentials, 403 if the credentials do not permit the route
 */
export async function authorize(
  { name, row }: { readonly name: string; readonly row: RouteRow },
  request: FastifyRequest,
  deps: AuthorizeDeps,
): Promise<Principal | null> {
  const { permission } = row;
  if (permission === 'anyone') return null;
  const token = readToken(request);
  if (!token) throw new ConsoleError(401, 'Not authenticated');
  if (!deps.isDatabaseReachable()) throw databaseAway();
  if (row.acceptsApiKey && (isApiKey(token) || isForeignApiKey(token)))
    return authorizeApiKey(token, request, deps);
  const principal = isManagementToken(token)
    ? await authenticateToken(token, request, deps)
    : await deps.authenticateSession(token);
  if (!principal) throw invalidCredentials();
  // `answerConsoleError` reads the principal when it logs a rejection.
  request.principal = principal;
  if (mustSetUpSecondFactor(principal) && !row.servesSetup) {
    throw new CodedError(403, 'Your role requires a second factor. Set one up to continue.', {
      code: 'second_factor_setup_required',
    });
  }
  if (!isAllowed(principal, permission)) {
    throw principal.blockedReason === null
      ? new ConsoleError(403, 'Not enough permissions')
      : blockedError(principal.blockedReason);
  }
  const { credential } = principal;
  if (credential.kind === 'management_token') requireScope(row, credential);
  const acting = actForTenant(row, request.headers, principal, deps.findTenantId);
  if (credential.kind === 'management_token') {
    if (acting.tenantId !== principal.tenantId) requireThisScope(platformScopeOf(row), credential);
    const { address } = deps.findSource(request.raw);
    const call = { action: name, requestId: request.id, address };
    await deps.recordTokenCall({ principal, actingTenantId: acting.tenantId, token: credential, ...call });
  }
  return acting;
}

/** The lookup counts against the database share of the caller's network, since the caller is not known yet. */
function authenticateToken(
  token: string,
  request: FastifyRequest,
  deps: AuthorizeDeps,
): Promise<Principal | null> {
  const { address } = deps.findSource(request.raw);
  return withShare(shareOfAddress(request.ip), () => deps.authenticateToken(token, address));
}

/** Returns the scope required for calls on another tenant. Other scopes cover only the token's own tenant. */
const platformScopeOf = ({ method }: RouteRow) => (method === 'GET' ? 'platform:read' : 'platform:write');

function requireScope(row: RouteRow, credential: ManagementTokenCredential): void {
  const scope = scopeOf(row);
  if (scope === null) {
    throw new ConsoleError(403, 'This endpoint does not accept management tokens. Sign in to use it.');
  }
  requireThisScope(scope, credential);
}

/**
 * Checks another permission of a call with several effects.
 * @throws ConsoleError 403 if the permission, or its scope for a management token, is missing
 */
export function requirePermission(principal: Principal, permission: Permission): void {
  if (!isAllowed(principal, permission)) throw new ConsoleError(403, 'Not enough permissions');
  const { credential } = principal;
  const scope = scopeOf({ surface: 'management', method: 'POST', permission });
  if (credential.kind === 'management_token' && scope !== null) requireThisScope(scope, credential);
}

function requireThisScope(scope: ManagementScope, { name, scopes }: ManagementTokenCredential): void {
  if (scopes.includes(scope)) return;
  throw new ConsoleError(
    403,
    `The management token '${name}' does not have the scope ${scope}. Create a token that has it.`,
  );
}

/**
 * The key's scopes and protocols are not checked, because they apply only to model requests.
 * @throws ConsoleError 401 for an unknown key, 403 for a task key, a network that the key excludes, or an inactive or
 * blocked owner
 */
async function authorizeApiKey(
  apiKey: string,
  request: FastifyRequest,
  { authenticateApiKey, findSource }: AuthorizeDeps,
): Promise<Principal> {
  const { address } = findSource(request.raw);
  const owner = await authenticateApiKey(apiKey, request.raw.socket, address);
  if (!owner) throw invalidCredentials();
  request.principal = owner;
  if (!owner.isActive) throw new ConsoleError(403, 'Your account is inactive. Ask your administrator.');
  if (owner.blockedReason !== null) throw blockedError(owner.blockedReason);
  const limits = keyLimitsOf(owner);
  if (limits?.isTaskKey) {
    throw new ConsoleError(403, 'A task key cannot create keys. Use a session or another API key.');
  }
  if (limits?.isAllowedAddress && !limits.isAllowedAddress(address)) {
    throw new ConsoleError(403, `This API key may not be used from ${address}.`);
  }
  return owner;
}

const invalidCredentials = () => new ConsoleError(401, 'Could not validate credentials');

const blockedError = (reason: string) =>
  new ConsoleError(403, `Your account is blocked: ${reason || 'no reason was given'}`);

export function readToken({ headers }: FastifyRequest): string | undefined {
  return headers.authorization?.match(/^Bearer +(\S+) *$/i)?.[1];
}
