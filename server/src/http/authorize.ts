import type { RouteRow } from '@sluice/contract';
import type { FastifyRequest } from 'fastify';
import { isApiKey } from '#domain/api-key.ts';
import { isAllowed, keyLimitsOf, mustSetUpSecondFactor, type Principal } from '#domain/principal.ts';
import { CodedError, ConsoleError, databaseAway } from '#errors/console-error.ts';
import { actForTenant, type FindTenantId } from './act-for-tenant.ts';
import type { RequestSource } from './caller-address.ts';

type OwnerOfKey = Principal & { readonly isActive: boolean };

export interface AuthorizeDeps {
  /** Returns the principal of a session token, or `null`. */
  readonly authenticateSession: (token: string) => Promise<Principal | null>;
  /** Returns the principal of an API key, or `null`. `connection` is the connection it came over. */
  readonly authenticateApiKey: (
    apiKey: string,
    connection: object,
  ) => OwnerOfKey | null | Promise<OwnerOfKey | null>;
  readonly findTenantId: FindTenantId;
  /** `false` rejects requests at once that would only wait for the database. */
  readonly isDatabaseReachable: () => boolean;
  readonly findSource: (request: FastifyRequest['raw']) => RequestSource;
}

/**
 * Returns the caller of a management route; `null` on public rows.
 * @throws ConsoleError 401 without valid credentials, 403 if they do not permit the route
 */
export async function authorize(
  row: RouteRow,
  request: FastifyRequest,
  deps: AuthorizeDeps,
): Promise<Principal | null> {
  const { permission } = row;
  if (permission === 'anyone') return null;
  const token = readToken(request);
  if (!token) throw new ConsoleError(401, 'Not authenticated');
  if (!deps.isDatabaseReachable()) throw databaseAway();
  if (row.acceptsApiKey && isApiKey(token)) return authorizeApiKey(token, request, deps);
  const principal = await deps.authenticateSession(token);
  if (!principal) throw invalidCredentials();
  // Stored for the log of rejections.
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
  return actForTenant(row, request.headers, principal, deps.findTenantId);
}

/** Checks what the gateway checks of a key, except its scopes and protocols, which concern model requests only. */
async function authorizeApiKey(
  apiKey: string,
  request: FastifyRequest,
  { authenticateApiKey, findSource }: AuthorizeDeps,
): Promise<Principal> {
  const owner = await authenticateApiKey(apiKey, request.raw.socket);
  if (!owner) throw invalidCredentials();
  request.principal = owner;
  if (!owner.isActive) throw new ConsoleError(403, 'Your account is inactive. Ask your administrator.');
  if (owner.blockedReason !== null) throw blockedError(owner.blockedReason);
  const limits = keyLimitsOf(owner);
  if (limits?.isTaskKey) {
    throw new ConsoleError(403, 'A task key cannot create keys. Use a session or another API key.');
  }
  const { address } = findSource(request.raw);
  if (limits?.isAllowedAddress && !limits.isAllowedAddress(address)) {
    throw new ConsoleError(403, `This API key may not be used from ${address}.`);
  }
  return owner;
}

const invalidCredentials = () => new ConsoleError(401, 'Could not validate credentials');

const blockedError = (reason: string) =>
  new ConsoleError(403, `Your account is blocked: ${reason || 'no reason was given'}`);

/** Returns the bearer token of a request. */
export function readToken({ headers }: FastifyRequest): string | undefined {
  return headers.authorization?.match(/^Bearer +(\S+) *$/i)?.[1];
}
