import { type Banner, type RoleName, roleNames } from '@sluice/contract';
import { and, asc, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { banners } from '#db/schema/platform.ts';
import { tenants } from '#db/schema/tenants.ts';
import { because } from '#domain/access/check-caller.ts';

export interface BannerDraft extends Pick<Banner, 'id' | 'severity' | 'message'> {
  readonly audience: RoleName;
  /** Tenant whose users see the banner. If absent, users of all tenants see it. */
  readonly tenantId?: number;
}

/** Keeps the time when an existing banner was first raised. Requires the rights of the system role. */
export async function raiseBanner(database: NodePgDatabase, draft: BannerDraft): Promise<void> {
  const { id: _id, ...changed } = draft;
  await database.insert(banners).values(draft).onConflictDoUpdate({ target: banners.id, set: changed });
}

export async function lowerBanner(database: NodePgDatabase, id: string): Promise<void> {
  await database.delete(banners).where(eq(banners.id, id));
}

/** Orders banners by severity. Without a tenant, returns the banners for all tenants. */
export async function listBanners(
  database: NodePgDatabase,
  role: RoleName,
  tenantId?: number,
): Promise<Banner[]> {
  // Roles are sorted from highest to lowest. A role sees the banners of all lower roles.
  const audiences = roleNames.slice(roleNames.indexOf(role));
  const rows = await database
    .select()
    .from(banners)
    .where(
      and(
        inArray(banners.audience, audiences),
        or(isNull(banners.tenantId), tenantId === undefined ? undefined : eq(banners.tenantId, tenantId)),
      ),
    )
    .orderBy(sql`array_position(ARRAY['error', 'warning', 'info'], ${banners.severity})`, asc(banners.id));
  return rows.map(({ id, severity, message, raisedAt }) => ({
    id,
    severity,
    message,
    raised_at: raisedAt.toISOString(),
  }));
}

export async function findSuspensionBanner(database: NodePgDatabase, tenantId: number): Promise<Banner[]> {
  const { name, status, suspensionReason, suspendedAt } = tenants;
  const [tenant] = await database
    .select({ name, status, suspensionReason, suspendedAt })
    .from(tenants)
    .where(eq(tenants.id, tenantId));
  if (tenant?.status !== 'suspended') return [];
  return [
    {
      id: `tenant-suspended:${tenantId}`,
      severity: 'error',
      message: `${tenant.name} is suspended${because(tenant.suspensionReason)}. New requests are refused; existing data can still be read. An administrator can pay under Tenant Credits.`,
      raised_at: (tenant.suspendedAt ?? new Date()).toISOString(),
    },
  ];
}
