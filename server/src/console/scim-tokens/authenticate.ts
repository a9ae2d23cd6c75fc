import type { AddressThrottle } from '#console/auth/attempt-throttle.ts';
import type { SystemDatabase } from '#db/system.ts';
import { isManagementToken } from '#domain/api-key.ts';
import { isAllowed, type Principal } from '#domain/principal.ts';
import { isScimToken } from '#domain/scim-token.ts';
import { ScimError } from '#errors/scim-error.ts';
import type { AuthenticateScim, ScimClient } from '#http/scim-route.ts';
import type { Keyring } from '#platform/keyring.ts';
import { findTokenByHash, noteTokenUse } from './store.ts';

interface AuthenticateDeps {
  readonly database: SystemDatabase;
  readonly keyring: Pick<Keyring, 'hashApiKey'>;
  readonly throttle: AddressThrottle;
  /**
   * Returns the principal of a management token; `null` if the token is rejected. Rejected tokens count against the
   * IP address.
   */
  readonly authenticateToken: (token: string, address: string) => Promise<Principal | null>;
}

/**
 * Returns a function that finds the client of a token. Tokens are not cached, so that a revoked token is rejected
 * immediately. Only rejected tokens count against the IP address, so that other clients cannot block a valid token.
 */
export function createAuthenticateScim(deps: AuthenticateDeps): AuthenticateScim {
  const { database, keyring, throttle } = deps;
  return async (token, { address }) => {
    if (isManagementToken(token)) return toClient(await deps.authenticateToken(token, address));
    if (!isScimToken(token)) throw unknownToken();
    const found = await findTokenByHash(database, keyring.hashApiKey(token));
    if (!found) {
      await throttle.count(address);
      throw unknownToken();
    }
    const { id, name, tenantId, canAssignRoles, isUseKnown } = found;
    if (!isUseKnown) await noteTokenUse(database, id);
    return { tokenId: id, tokenName: name, tenantId, canAssignRoles };
  };
}

/** Management tokens cannot assign roles. SCIM tokens can, if their administrator allows it. */
function toClient(principal: Principal | null): ScimClient {
  if (principal?.credential.kind !== 'management_token') throw unknownToken();
  const { tokenId, name, scopes } = principal.credential;
  if (!scopes.includes('scim') || !isAllowed(principal, 'users.write'))
    throw new ScimError(403, `The management token '${name}' does not have the scope scim.`);
  return { tokenId, tokenName: name, tenantId: principal.tenantId, canAssignRoles: false };
}

const unknownToken = () => new ScimError(401, 'The SCIM token is unknown, expired or revoked.');
