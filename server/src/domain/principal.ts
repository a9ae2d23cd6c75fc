import {
  type ApiKeyScope,
  type Permission,
  permissionsOfRole,
  type RoleName,
  scopesAllow,
} from '@sluice/contract';

/** Who a request acts for, whatever credential it came with. */
export interface Principal {
  readonly userId: number;
  readonly tenantId: number;
  readonly name: string;
  readonly email: string;
  readonly role: RoleName;
  readonly credential: Credential;
  /** Why the gate is shut for this person; `null` when it is open. */
  readonly blockedReason: string | null;
}

/** Who changes something; without an id it is the operator of the server, at the command line. */
export interface Author {
  readonly userId: number | null;
  readonly tenantId: number;
  readonly role: RoleName;
}

export type Credential =
  | { readonly kind: 'session'; readonly sessionId: string }
  | {
      readonly kind: 'api_key';
      readonly apiKeyId: number;
      readonly name: string;
      readonly scopes: readonly ApiKeyScope[];
    };

/** The API key that a principal came with; `null` for a session. */
export function apiKeyIdOf({ credential }: Principal): number | null {
  return credential.kind === 'api_key' ? credential.apiKeyId : null;
}

/**
 * Whether a principal holds a permission: its role's rights, narrowed by a key's scopes.
 * A blocked person of any role keeps the right to see their own account, and nothing else.
 */
export function isAllowed(principal: Principal, permission: Permission): boolean {
  if (principal.blockedReason !== null && permission !== 'account.read') return false;
  if (principal.credential.kind === 'api_key' && !scopesAllow(principal.credential.scopes, permission))
    return false;
  return permissionsOfRole(principal.role).includes(permission);
}
