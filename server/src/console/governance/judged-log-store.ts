import { and, asc, eq, isNotNull } from 'drizzle-orm';
import { intentCorrections } from '#db/schema/governance.ts';
import { tenants } from '#db/schema/tenants.ts';
import type { LogTransaction, TenantTransaction } from '#db/tenant.ts';

/** If `userId` is specified, only finds requests of this user. */
export async function findJudgedLog(
  tx: LogTransaction,
  { tenantId, id, userId }: { tenantId: number; id: string; userId?: number },
) {
  const log = await tx.requestLog.findPrompt(id, userId);
  if (!log) return undefined;
  const [tenant] = await tx
    .select({ promptPrivacy: tenants.promptPrivacy })
    .from(tenants)
    .where(eq(tenants.id, tenantId));
  return tenant && { ...log, ...tenant };
}

export async function upsertCorrection(tx: TenantTransaction, values: typeof intentCorrections.$inferInsert) {
  const { intent, correctedBy } = values;
  const [row] = await tx
    .insert(intentCorrections)
    .values(values)
    .onConflictDoUpdate({
      target: intentCorrections.requestId,
      set: { intent, correctedBy, correctedAt: new Date() },
    })
    .returning();
  return row;
}

export function selectCorrections(tx: TenantTransaction, tenantId: number) {
  return tx
    .select({
      requestId: intentCorrections.requestId,
      text: intentCorrections.prompt,
      label: intentCorrections.intent,
    })
    .from(intentCorrections)
    .where(and(eq(intentCorrections.tenantId, tenantId), isNotNull(intentCorrections.prompt)))
    .orderBy(asc(intentCorrections.correctedAt));
}
