import { deriveSlug, type RoleName } from '@sluice/contract';
import { addPerson } from '#console/users/create.ts';
import type { SystemDatabase } from '#db/system.ts';
import { invalidField } from '#errors/console-error.ts';
import {
  findFreeSlug,
  findPlan,
  findRoleId,
  insertSandbox,
  insertTenant,
  type NewTenantRow,
  type PlanRow,
} from './store.ts';

/** Models of the sandbox. The first one works normally; the others simulate other capabilities and failures. */
export const sandboxModels = [
  'sandbox-normal',
  'sandbox-slow',
  'sandbox-echo',
  'sandbox-inspect',
  'sandbox-vision',
  'sandbox-tool',
  'sandbox-tools',
  'sandbox-reasoning',
  'sandbox-embedding',
  'sandbox-stall',
  'sandbox-reset',
  'sandbox-rate-limited',
  'sandbox-error-500',
  'sandbox-overloaded',
  'sandbox-garbage',
  'sandbox-huge',
  'sandbox-refuse-key',
  'sandbox-no-usage',
  'sandbox-truncated',
  'sandbox-stream-error',
  'sandbox-refusal',
  'sandbox-blocked',
];

export interface NewTenant extends Omit<NewTenantRow, 'slug'> {
  /** Slug of the tenant; by default, an unused slug derived from its name. */
  readonly slug?: string | undefined;
  /** Whether to enable the sandbox, so that the tenant can send a first request immediately. */
  readonly hasSandbox: boolean;
}

/**
 * Creates a tenant, with a sandbox instance if requested, and returns the tenant's id. Database defaults and triggers
 * add the settings.
 * @throws ConsoleError 422 on `slug` if the slug is already used
 */
export async function addTenant(
  tx: SystemDatabase,
  { slug, hasSandbox, ...columns }: NewTenant,
): Promise<number> {
  const chosen = slug ?? (await findFreeSlug(tx, deriveSlug(columns.name) || 'tenant'));
  const tenantId = await insertTenant(tx, { ...columns, slug: chosen });
  if (hasSandbox) await insertSandbox(tx, tenantId, sandboxModels);
  return tenantId;
}

export interface FirstAdministrator {
  readonly role: Exclude<RoleName, 'user'>;
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
}

const unlimited = { dailyQuota: null, monthlyQuota: null, requestsPerHour: null };

/** @throws ConsoleError 422 on `email` if the email is already used in any tenant */
export async function addFirstAdministrator(
  tx: SystemDatabase,
  tenantId: number,
  administrator: FirstAdministrator,
): Promise<number> {
  const roleId = await findRoleId(tx, administrator.role);
  return addPerson(tx, { tenantId, roleId, ...administrator, canHaveForeignDomain: true, quotas: unlimited });
}

/** @throws ConsoleError 422 on `field` if the plan is not available */
export async function requirePlan(tx: SystemDatabase, planId: string, field = 'plan_id'): Promise<PlanRow> {
  const plan = await findPlan(tx, planId);
  if (!plan) throw invalidField(field, 'This plan does not exist. Choose one of the offered plans.');
  return plan;
}
