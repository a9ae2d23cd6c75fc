import { type Banner, type RoleName, roleNames } from '@sluice/contract';
import { and, asc, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { banners } from '#db/schema/banners.ts';

export interface BannerDraft extends Pick<Banner, 'id' | 'severity' | 'message'> {
  /** The least role that is shown it. */
  readonly audience: RoleName;
  /** Whose people are shown it; absent, all. */
  readonly tenantId?: number;
}

/** Puts a banner up, or renews its words; it keeps the time at which it first went up. Needs the system's rights. */
export async function raiseBanner(database: NodePgDatabase, draft: BannerDraft): Promise<void> {
  const { id: _id, ...changed } = draft;
  await database.insert(banners).values(draft).onConflictDoUpdate({ target: banners.id, set: changed });
}

export async function lowerBanner(database: NodePgDatabase, id: string): Promise<void> {
  await database.delete(banners).where(eq(banners.id, id));
}

/** What a role is shown in a tenant, the gravest first; without one, what all tenants are shown. */
export async function listBanners(
  database: NodePgDatabase,
  role: RoleName,
  tenantId?: number,
): Promise<Banner[]> {
  // Roles are listed from the greatest down, and a role sees what any lesser one sees.
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
