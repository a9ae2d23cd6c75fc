import type { RoleName } from '@sluice/contract';
import { and, asc, count, DrizzleQueryError, eq, ilike, ne, or, type SQL, sql } from 'drizzle-orm';
import pg from 'pg';
import { holdLock } from '#console/advisory-lock.ts';
import { containsText } from '#db/contains-text.ts';
import { llmProviders, providerRegistry } from '#db/schema/llm-providers.ts';
import { plans, subscriptions } from '#db/schema/subscriptions.ts';
import { tenants } from '#db/schema/tenants.ts';
import { roles, users } from '#db/schema/users.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { totalCountMax } from '#domain/total-count.ts';
import { invalidField } from '#errors/console-error.ts';

const tenantColumns = {
  id: tenants.id,
  name: tenants.name,
  slug: tenants.slug,
  status: tenants.status,
  createdAt: tenants.createdAt,
};

export async function findTenant(tx: TenantTransaction, tenantId: number) {
  const [row] = await tx.select(tenantColumns).from(tenants).where(eq(tenants.id, tenantId));
  return row;
}

export type TenantRow = NonNullable<Awaited<ReturnType<typeof findTenant>>>;

export function selectTenants(
  database: SystemDatabase,
  search: string | undefined,
  page: { skip: number; limit: number },
): Promise<TenantRow[]> {
  return database
    .select(tenantColumns)
    .from(tenants)
    .where(isCalled(search))
    .orderBy(asc(sql`lower(${tenants.name})`), asc(tenants.id))
    .offset(page.skip)
    .limit(page.limit);
}

export async function countTenants(database: SystemDatabase, search: string | undefined): Promise<number> {
  const counted = database
    .select({ id: tenants.id })
    .from(tenants)
    .where(isCalled(search))
    .limit(totalCountMax + 1)
    .as('counted');
  const [row] = await database.select({ total: count() }).from(counted);
  return row?.total ?? 0;
}

function isCalled(search: string | undefined): SQL | undefined {
  if (search === undefined) return undefined;
  return containsText(search, tenants.name, tenants.slug);
}

export async function findTenantDetails(database: SystemDatabase, tenantId: number) {
  const { planId, userLimit, adminLimit, suspensionReason, suspendedAt } = tenants;
  const [row] = await database
    .select({ ...tenantColumns, planId, userLimit, adminLimit, suspensionReason, suspendedAt })
    .from(tenants)
    .where(eq(tenants.id, tenantId));
  return row;
}

export async function lockTenant(tx: SystemDatabase, tenantId: number) {
  const { name, status, planId, statusBeforeSuspension } = tenants;
  const [row] = await tx
    .select({ name, status, planId, statusBeforeSuspension })
    .from(tenants)
    .where(eq(tenants.id, tenantId))
    .for('no key update');
  return row;
}

export type NewTenantRow = Pick<
  typeof tenants.$inferInsert,
  'name' | 'slug' | 'status' | 'planId' | 'userLimit' | 'adminLimit'
>;

/** @throws ConsoleError 422 on `slug` if the slug is already used */
export async function insertTenant(tx: SystemDatabase, values: NewTenantRow): Promise<number> {
  const [row] = await explained(tx.insert(tenants).values(values).returning({ id: tenants.id }));
  if (!row) throw new Error('the insert returned no row');
  return row.id;
}

type TenantChange = {
  [Column in keyof typeof tenants.$inferInsert]?: (typeof tenants.$inferInsert)[Column] | undefined;
};

/** @throws ConsoleError 422 on `slug` if the slug is already used */
export async function changeTenant(
  tx: SystemDatabase,
  tenantId: number,
  columns: TenantChange,
): Promise<void> {
  const given = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
  if (Object.keys(given).length === 0) return;
  await explained(tx.update(tenants).set(given).where(eq(tenants.id, tenantId)));
}

/**
 * Returns `stem` if this slug is unused, or else `stem` with the lowest unused number. Locks slugs until the
 * transaction ends.
 */
export async function findFreeSlug(tx: SystemDatabase, stem: string): Promise<string> {
  await holdLock(tx, 'slugs', 0);
  const rows = await tx
    .select({ slug: tenants.slug })
    .from(tenants)
    .where(or(eq(tenants.slug, stem), ilike(tenants.slug, `${stem}-%`)));
  const taken = new Set(rows.map(({ slug }) => slug));
  let free = stem;
  for (let number = 2; taken.has(free); number++) free = `${stem}-${number}`;
  return free;
}

export async function findPlan(database: SystemDatabase, planId: string) {
  const [row] = await database.select().from(plans).where(eq(plans.id, planId));
  return row;
}

export type PlanRow = NonNullable<Awaited<ReturnType<typeof findPlan>>>;

export async function findSubscribedPlan(tx: SystemDatabase, tenantId: number): Promise<PlanRow | undefined> {
  const [row] = await tx
    .select({ plan: plans })
    .from(subscriptions)
    .innerJoin(plans, eq(plans.id, subscriptions.planId))
    .where(and(eq(subscriptions.tenantId, tenantId), ne(subscriptions.status, 'canceled')));
  return row?.plan;
}

export async function findRoleId(tx: SystemDatabase, name: RoleName): Promise<number> {
  const [row] = await tx.select({ id: roles.id }).from(roles).where(eq(roles.name, name));
  if (!row) throw new Error('the migrations created no roles');
  return row.id;
}

export async function hasSuperAdmin(tx: SystemDatabase, tenantId: number): Promise<boolean> {
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .innerJoin(roles, eq(roles.id, users.roleId))
    .where(and(eq(users.tenantId, tenantId), eq(roles.name, 'super_admin'), users.isActive))
    .limit(1);
  return rows.length > 0;
}

export async function insertSandbox(tx: SystemDatabase, tenantId: number, models: string[]): Promise<void> {
  const [vendor] = await tx
    .select({ id: providerRegistry.id })
    .from(providerRegistry)
    .where(eq(providerRegistry.providerKey, 'sandbox'));
  if (!vendor) throw new Error('the provider registry does not contain the sandbox');
  await tx.insert(llmProviders).values({
    tenantId,
    providerRegistryId: vendor.id,
    providerInstanceName: 'sandbox',
    enabledModels: models,
    availableModels: models,
    defaultModel: models[0] ?? null,
    isDefault: true,
  });
}

async function explained<Result>(query: Promise<Result>): Promise<Result> {
  try {
    return await query;
  } catch (error) {
    const cause = error instanceof DrizzleQueryError ? error.cause : undefined;
    if (cause instanceof pg.DatabaseError && cause.constraint === 'tenants_slug_key') {
      throw invalidField('slug', 'Another tenant has this slug');
    }
    throw error;
  }
}
