import { sql } from 'drizzle-orm';
import type { SystemDatabase } from '#db/system.ts';
import type { ManagedObject } from './diff.ts';

/** First key of these advisory locks. The console uses lower keys (`advisory-lock.ts`). */
const lockClass = 100;

/**
 * Locks a tenant against other applies until the transaction ends, even before the tenant exists. Returns `false` if
 * the tenant is already locked.
 */
export async function tryLockTenant(tx: SystemDatabase, slug: string): Promise<boolean> {
  const { rows } = await tx.execute<{ locked: boolean }>(
    sql`SELECT pg_try_advisory_xact_lock(${lockClass}::int, hashtext(${slug})) AS locked`,
  );
  return rows[0]?.locked === true;
}

export async function beginApply(tx: SystemDatabase, file: string): Promise<void> {
  await tx.execute(sql`SELECT set_config('app.applied_file', ${file}, true)`);
}

export async function enterTenant(tx: SystemDatabase, tenantId: number): Promise<void> {
  await tx.execute(sql`SET LOCAL ROLE sluice_tenant`);
  await tx.execute(sql`SELECT set_config('app.tenant', ${String(tenantId)}, true)`);
}

export async function leaveTenant(tx: SystemDatabase): Promise<void> {
  await tx.execute(sql`SET LOCAL ROLE NONE`);
}

export async function findTenantId(tx: SystemDatabase, slug: string): Promise<number | undefined> {
  const { rows } = await tx.execute<{ id: number }>(sql`SELECT id FROM tenants WHERE slug = ${slug}`);
  return rows[0]?.id;
}

export async function selectSlugs(
  tx: SystemDatabase,
  slug: string | undefined,
): Promise<{ id: number; slug: string }[]> {
  const { rows } = await tx.execute<{ id: number; slug: string }>(
    sql`SELECT id, slug FROM tenants WHERE ${slug ?? null}::text IS NULL OR slug = ${slug ?? null} ORDER BY id`,
  );
  return rows;
}

export async function selectManaged(tx: SystemDatabase, tenantId: number): Promise<ManagedObject[]> {
  const { rows } = await tx.execute<{ kind: string; objectId: number; name: string; file: string }>(
    sql`SELECT kind, object_id AS "objectId", name, file FROM managed_objects WHERE tenant_id = ${tenantId}`,
  );
  return rows;
}

export async function putManaged(
  tx: SystemDatabase,
  tenantId: number,
  objects: readonly ManagedObject[],
): Promise<void> {
  if (objects.length === 0) return;
  const column = <Value>(pick: (object: ManagedObject) => Value) => sql.param(objects.map(pick));
  await tx.execute(sql`
    INSERT INTO managed_objects (tenant_id, kind, object_id, name, file)
    SELECT ${tenantId}, given.kind, given.object_id, given.name, given.file
    FROM unnest(${column(({ kind }) => kind)}::text[], ${column(({ objectId }) => objectId)}::integer[],
      ${column(({ name }) => name)}::text[], ${column(({ file }) => file)}::text[]) AS given (kind, object_id, name, file)
    ON CONFLICT (kind, object_id) DO UPDATE SET name = excluded.name, file = excluded.file`);
}

export async function releaseManaged(
  tx: SystemDatabase,
  tenantId: number,
  objects: readonly ManagedObject[],
): Promise<void> {
  if (objects.length === 0) return;
  const kinds = sql.param(objects.map(({ kind }) => kind));
  const ids = sql.param(objects.map(({ objectId }) => objectId));
  await tx.execute(sql`
    DELETE FROM managed_objects m USING unnest(${kinds}::text[], ${ids}::integer[]) AS given (kind, object_id)
    WHERE m.tenant_id = ${tenantId} AND m.kind = given.kind AND m.object_id = given.object_id`);
}

export async function selectIssuers(database: SystemDatabase, slug: string): Promise<string[]> {
  const { rows } = await database.execute<{ issuer: string }>(
    sql`SELECT p.issuer FROM identity_providers p JOIN tenants t ON t.id = p.tenant_id WHERE t.slug = ${slug}`,
  );
  return rows.map(({ issuer }) => issuer);
}
