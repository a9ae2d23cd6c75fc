import { eq } from 'drizzle-orm';
import { tenants } from '#db/schema/tenants.ts';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';

/** The tenant's, by whose calendar rows are chosen. */
export async function readTimeZone({ principal, inTenant }: SignedInContext): Promise<string> {
  const [row] = await inTenant((tx) =>
    tx.select({ timeZone: tenants.timeZone }).from(tenants).where(eq(tenants.id, principal.tenantId)),
  );
  if (!row) throw notFound('Tenant');
  return row.timeZone;
}
