import type { createBudgetBody, Labels, teamRoles } from '@sluice/contract';
import type { z } from 'zod';
import type { ApiKeyOrigin } from '#domain/api-key.ts';
import type { Findings } from './findings.ts';

export interface FoundInstance {
  readonly name: string;
  readonly providerKey: string;
  readonly endpoint: string | null;
  readonly apiKey: string | null;
  readonly models: ReadonlySet<string>;
  /** Maps names that callers use to models of the instance. */
  readonly aliases: ReadonlyMap<string, string>;
}

export interface FoundTeam {
  /** Id in the other gateway. Other objects refer to this id. */
  readonly ref: string;
  readonly name: string;
  readonly isActive: boolean;
}

export interface FoundUser {
  readonly ref: string;
  readonly email: string;
  readonly name: string;
  readonly role: 'admin' | 'user';
}

/** Service account to create for keys without a user. */
export interface FoundAccount {
  readonly ref: string;
  readonly name: string;
  readonly teamRef: string | null;
}

export interface FoundMember {
  readonly teamRef: string;
  readonly userRef: string;
  readonly role: (typeof teamRoles)[number];
}

/** Granted models, by the names that callers use; `null` for all models. */
export interface FoundGrant {
  readonly grantee: 'team' | 'user';
  /** Id of a team, user or account in the other gateway. */
  readonly ref: string;
  readonly models: readonly string[] | null;
}

export interface FoundKey {
  readonly ref: string;
  /** SHA-256 of the key in hexadecimal digits. */
  readonly sha256: string;
  readonly name: string;
  readonly last4: string;
  /** Id of a user or account in the other gateway. */
  readonly ownerRef: string;
  readonly models: readonly string[] | null;
  readonly networks: readonly string[] | null;
  readonly expiresAt: Date | null;
  readonly labels: Labels;
}

type BudgetTerms = Pick<z.output<typeof createBudgetBody>, 'measure' | 'window' | 'action'>;

export interface FoundBudget extends BudgetTerms {
  readonly subject: 'team' | 'owner' | 'api_key' | 'provider';
  /** Id in the other gateway, or the name of an instance. */
  readonly ref: string;
  /** Team to whose requests the budget of an owner is restricted. */
  readonly teamRef?: string;
  readonly modelPattern?: string | null;
  /** Limit in dollars, tokens or requests. */
  readonly limit: number;
  readonly thresholds?: readonly number[];
  /** Amount used in the window that ends at `resetsAt`. */
  readonly spent?: number;
  /** End of the current window; `null` for calendar windows. */
  readonly resetsAt?: Date | null;
}

export interface Inventory {
  readonly origin: Exclude<ApiKeyOrigin, 'sluice'>;
  /** Instances in fallback order. */
  readonly instances: readonly FoundInstance[];
  readonly teams: readonly FoundTeam[];
  readonly users: readonly FoundUser[];
  readonly accounts: readonly FoundAccount[];
  readonly members: readonly FoundMember[];
  readonly grants: readonly FoundGrant[];
  readonly keys: readonly FoundKey[];
  readonly budgets: readonly FoundBudget[];
  readonly findings: Findings;
}
