import type { AddressThrottle } from '#console/auth/throttle.ts';
import type { SystemDatabase } from '#db/system.ts';
import { isScimToken } from '#domain/scim-token.ts';
import { ScimError } from '#errors/scim-error.ts';
import type { AuthenticateScim } from '#http/scim-route.ts';
import type { Keyring } from '#platform/keyring.ts';
import { findTokenByHash, noteTokenUse } from './store.ts';

interface AuthenticateDeps {
  readonly database: SystemDatabase;
  readonly keyring: Pick<Keyring, 'hashApiKey'>;
  readonly throttle: AddressThrottle;
}

/**
 * Returns a function that finds the client of a token. Each request reads the token from the database, so that a revoked
 * one is rejected at once. Only rejected tokens count against the address, so that nobody can stop a valid one; other credentials cost no query
 * and do not count.
 */
export function createAuthenticateScim({ database, keyring, throttle }: AuthenticateDeps): AuthenticateScim {
  return async (token, { address }) => {
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

const unknownToken = () => new ScimError(401, 'The SCIM token is unknown, expired or revoked.');
