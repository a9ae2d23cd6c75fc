import type { ApiKeyScope, DeviationPolicy, RoleName } from '@sluice/contract';
import type { Block } from '#domain/access/block.ts';
import type { Grant, TeamGrant } from '#domain/access/check-model.ts';
import type { DeviationState } from '#domain/deviation/fold.ts';
import type { Price } from '#domain/price/price.ts';
import type { ProviderInstance } from '#domain/provider-instance.ts';

export interface TenantEntry {
  readonly id: number;
  readonly name: string;
  readonly slug: string;
  readonly status: 'trial' | 'active' | 'suspended';
  readonly timeZone: string;
  /** False where service-managed instances may not spend the tenant's credits. */
  readonly isServiceSpendingAllowed: boolean;
  readonly deviationPolicy: DeviationPolicy;
}

export interface UserEntry {
  readonly id: number;
  readonly tenantId: number;
  readonly name: string;
  readonly email: string;
  readonly role: RoleName;
  readonly isActive: boolean;
  readonly blockedReason: string | null;
  readonly tokenVersion: number;
  /** As it was when the row was last read; a changed score alone is not announced. */
  readonly deviation: DeviationState;
}

export interface ApiKeyEntry {
  readonly id: number;
  readonly userId: number;
  readonly name: string;
  /** Base64 of the key's HMAC: the index by which it is found. */
  readonly hash: string;
  readonly scopes: readonly ApiKeyScope[];
  readonly expiresAtMs: number | null;
}

/** An instance with all that a call needs, so that no request opens a sealed key. */
export interface InstanceEntry extends ProviderInstance {
  /** Called with the operator's key and paid with the tenant's credits. */
  readonly isServiceManaged: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/** A direct grant. */
export interface GrantEntry extends Grant {
  readonly id: number;
  readonly userId: number;
}

/** A session ended before its token expires. */
export interface EndedSessionEntry {
  readonly id: string;
}

/** A team's grant, for as long as the team and the membership are active. */
export interface TeamGrantEntry extends TeamGrant {
  readonly id: number;
}

export interface TeamEntry {
  readonly id: number;
  readonly tenantId: number;
  readonly name: string;
  readonly isActive: boolean;
}

export interface TeamMemberEntry {
  readonly id: number;
  readonly teamId: number;
  readonly userId: number;
  readonly isActive: boolean;
}

export interface BlacklistEntry extends Block {
  readonly tenantId: number;
}

export interface TaskEntry {
  readonly id: number;
  readonly tenantId: number;
  readonly title: string;
  readonly description: string;
  readonly category: 'coding' | 'testing' | 'documentation' | 'research' | 'other';
  readonly tokenLimit: number | null;
  readonly maxTokensPerRequest: number | null;
  readonly isActive: boolean;
  readonly isApiAccess: boolean;
}

/** An active assignment. */
export interface AssignmentEntry {
  readonly id: number;
  readonly taskId: number;
  readonly userId: number;
}

/** A price that stands in for the list's. */
export interface PriceOverrideEntry {
  readonly id: number;
  /** An instance by its id, or a provider by its key. */
  readonly owner: number | string;
  readonly model: string;
  readonly price: Price;
}

/** What holds for the whole installation; one entry. */
export interface PlatformSettingsEntry {
  readonly id: number;
  readonly markupPercent: number;
}
