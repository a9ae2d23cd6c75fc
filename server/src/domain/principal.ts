import {
  type ApiKeyDialect,
  type ApiKeyScope,
  type ManagementScope,
  type Permission,
  permissionsOfRole,
  type RoleName,
  scopesAllow,
} from '@sluice/contract';

/** User on whose behalf a request is made, authenticated by any kind of credential. */
export interface Principal {
  readonly userId: number;
  readonly tenantId: number;
  readonly name: string;
  readonly email: string;
  readonly role: RoleName;
  readonly credential: Credential;
  readonly blockedReason: string | null;
  /** Second factor state of a session; absent for other credentials. */
  readonly secondFactor?: SecondFactorState;
}

export interface SecondFactorState {
  readonly isOn: boolean;
  readonly isRequired: boolean;
}

/** Whether the session may only set up the second factor that it requires. */
export function mustSetUpSecondFactor({ secondFactor }: Pick<Principal, 'secondFactor'>): boolean {
  return secondFactor?.isRequired === true && !secondFactor.isOn;
}

/** Author of a change. The id is `null` for the operator at the command line, a configuration file or SCIM. */
export interface Author {
  readonly userId: number | null;
  readonly tenantId: number;
  readonly role: RoleName;
}

export type Credential =
  | {
      readonly kind: 'session';
      readonly sessionId: string;
      readonly isFromProvider?: boolean;
    }
  | {
      readonly kind: 'api_key';
      readonly apiKeyId: number;
      readonly name: string;
      readonly scopes: readonly ApiKeyScope[];
      /** Restrictions of the key; `null` if the key may do everything that its user may do. */
      readonly limits: ApiKeyLimits | null;
      /** Keys whose budgets count the request. If absent, only this key's budget counts it. */
      readonly payingKeyIds?: readonly number[];
    }
  | ManagementTokenCredential;

export interface ManagementTokenCredential {
  readonly kind: 'management_token';
  readonly tokenId: number;
  readonly name: string;
  readonly scopes: readonly ManagementScope[];
}

/** Restrictions of an API key. A `null` field imposes no restriction beyond the user's own. */
export interface ApiKeyLimits {
  /** Requestable names or actual names of models. */
  readonly models: ReadonlySet<string> | null;
  readonly dialects: readonly ApiKeyDialect[] | null;
  /** Returns whether a client with this IP address may use the key; `null` allows all addresses. */
  readonly isAllowedAddress: ((address: string) => boolean) | null;
  /** Default task; for a task key, the only task. */
  readonly taskId: number | null;
  readonly isTaskKey: boolean;
}

/** Returns `null` for an unrestricted key and for other credentials. */
export function keyLimitsOf({ credential }: Pick<Principal, 'credential'>): ApiKeyLimits | null {
  return credential.kind === 'api_key' ? credential.limits : null;
}

/** Returns `null` for other credentials. */
export function apiKeyIdOf({ credential }: Principal): number | null {
  return credential.kind === 'api_key' ? credential.apiKeyId : null;
}

const noKeys: readonly number[] = [];

/** Returns the ids of API keys whose budgets count a request: its key and the keys that created or replaced it. */
export function payingKeyIdsOf({ credential }: Principal): readonly number[] {
  return credential.kind === 'api_key' ? (credential.payingKeyIds ?? [credential.apiKeyId]) : noKeys;
}

/**
 * Permissions result from the role, restricted by the key's scopes. A blocked user of any role may only view their
 * own account.
 */
export function isAllowed(principal: Principal, permission: Permission): boolean {
  if (principal.blockedReason !== null && permission !== 'account.read') return false;
  if (principal.credential.kind === 'api_key' && !scopesAllow(principal.credential.scopes, permission))
    return false;
  return permissionsOfRole(principal.role).includes(permission);
}
