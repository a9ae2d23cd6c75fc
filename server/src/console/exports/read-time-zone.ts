import { eq } from 'drizzle-orm';
import { tenants } from '#db/schema/tenants.ts';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';

/** Returns the tenant's time zone, whose calendar the date filters use. */
export async function readTimeZone({ principal, inTenant }: SignedInContext): Promise<string> {
  const [row] = await inTenant((tx) =>
    tx.select({ timeZone: tenants.timeZone }).from(tenants).where(eq(tenants.id, principal.tenantId)),
  );
  if (!row) throw notFound('Tenant');
  return row.timeZone;
}
