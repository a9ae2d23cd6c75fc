import {
  type ApiKeyScope,
  type Permission,
  permissionsOfRole,
  type RoleName,
  scopesAllow,
} from '@sluice/contract';

/** The user that a request acts for, with any kind of credential. */
export interface Principal {
  readonly userId: number;
  readonly tenantId: number;
  readonly name: string;
  readonly email: string;
  readonly role: RoleName;
  readonly credential: Credential;
  /** Reason why the user is blocked; `null` if not blocked. */
  readonly blockedReason: string | null;
}

/** The author of a change; without an id it is the server's operator at the command line. */
export interface Author {
  readonly userId: number | null;
  readonly tenantId: number;
  readonly role: RoleName;
}

export type Credential =
  | {
      readonly kind: 'session';
      readonly sessionId: string;
      /** Whether the session began at an identity provider. */
      readonly isFromProvider?: boolean;
    }
  | {
      readonly kind: 'api_key';
      readonly apiKeyId: number;
      readonly name: string;
      readonly scopes: readonly ApiKeyScope[];
    };

/** Returns the API key of a principal; `null` for a session. */
export function apiKeyIdOf({ credential }: Principal): number | null {
  return credential.kind === 'api_key' ? credential.apiKeyId : null;
}

/**
 * Whether a principal has a permission: the rights of the role, restricted by the key's scopes. A blocked user of any
 * role may only view their own account.
 */
export function isAllowed(principal: Principal, permission: Permission): boolean {
  if (principal.blockedReason !== null && permission !== 'account.read') return false;
  if (principal.credential.kind === 'api_key' && !scopesAllow(principal.credential.scopes, permission))
    return false;
  return permissionsOfRole(principal.role).includes(permission);
}
