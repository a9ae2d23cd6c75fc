import { and, asc, DrizzleQueryError, eq, inArray, sql } from 'drizzle-orm';
import pg from 'pg';
import { identityProviders } from '#db/schema/identity-providers.ts';
import { teams } from '#db/schema/teams.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { invalidField } from '#errors/console-error.ts';

const isProvider = (tenantId: number, id: number) =>
  and(eq(identityProviders.tenantId, tenantId), eq(identityProviders.id, id));

export function selectProviders(tx: TenantTransaction, tenantId: number) {
  return tx
    .select()
    .from(identityProviders)
    .where(eq(identityProviders.tenantId, tenantId))
    .orderBy(asc(identityProviders.id));
}

export type ProviderRow = typeof identityProviders.$inferSelect;

/** Returns a provider and locks it until the transaction ends. */
export async function lockProvider(
  tx: TenantTransaction,
  tenantId: number,
  id: number,
): Promise<ProviderRow | undefined> {
  const [row] = await tx
    .select()
    .from(identityProviders)
    .where(isProvider(tenantId, id))
    .for('no key update');
  return row;
}

export type ProviderColumns = Partial<typeof identityProviders.$inferInsert>;

/** @throws ConsoleError 422 on `name` or `callback_key` if another provider of the tenant uses the same value */
export async function insertProvider(
  tx: TenantTransaction,
  values: typeof identityProviders.$inferInsert & { id: number },
): Promise<ProviderRow> {
  const inserted = tx.insert(identityProviders).overridingSystemValue().values(values).returning();
  const [row] = await explained(inserted);
  if (!row) throw new Error('the insert returned no row');
  return row;
}

/** @throws ConsoleError 422 on `name` if another provider of the tenant uses the same name */
export async function changeProvider(
  tx: TenantTransaction,
  { tenantId, id }: Pick<ProviderRow, 'tenantId' | 'id'>,
  columns: ProviderColumns,
): Promise<ProviderRow> {
  const [row] = await explained(
    tx.update(identityProviders).set(columns).where(isProvider(tenantId, id)).returning(),
  );
  if (!row) throw new Error('the locked provider does not exist');
  return row;
}

export async function deleteProviderRow(
  tx: TenantTransaction,
  { tenantId, id }: Pick<ProviderRow, 'tenantId' | 'id'>,
) {
  await tx.delete(identityProviders).where(isProvider(tenantId, id));
}

export async function findTeamId(
  tx: TenantTransaction,
  tenantId: number,
  name: string,
): Promise<number | undefined> {
  const isNamed = sql`name_key(${teams.name}) = name_key(${name})`;
  const [row] = await tx
    .select({ id: teams.id })
    .from(teams)
    .where(and(eq(teams.tenantId, tenantId), isNamed));
  return row?.id;
}

export async function selectTeamNames(
  tx: TenantTransaction,
  tenantId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .select({ id: teams.id, name: teams.name })
    .from(teams)
    .where(and(eq(teams.tenantId, tenantId), inArray(teams.id, [...ids])));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

async function explained<Result>(query: Promise<Result>): Promise<Result> {
  try {
    return await query;
  } catch (error) {
    const cause = error instanceof DrizzleQueryError ? error.cause : undefined;
    const constraint = cause instanceof pg.DatabaseError ? cause.constraint : undefined;
    if (constraint === 'identity_providers_name')
      throw invalidField('name', 'An identity provider with this name already exists');
    if (constraint === 'identity_providers_callback')
      throw invalidField('callback_key', 'Another identity provider has this redirect URI');
    throw error;
  }
}
