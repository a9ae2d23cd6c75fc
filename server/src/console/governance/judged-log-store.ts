import { and, asc, eq, isNotNull } from 'drizzle-orm';
import { intentCorrections } from '#db/schema/governance.ts';
import { requestLogBodies, requestLogs } from '#db/schema/request-logs.ts';
import { tenants } from '#db/schema/tenants.ts';
import type { TenantTransaction } from '#db/tenant.ts';

/** Finds a request's prompt, its classification and the current prompt privacy; with `userId`, only that user's. */
export async function findJudgedLog(
  tx: TenantTransaction,
  { tenantId, id, userId }: { tenantId: number; id: string; userId?: number },
) {
  const [row] = await tx
    .select({
      prompt: requestLogBodies.prompt,
      intent: requestLogs.intentClassification,
      promptPrivacy: tenants.promptPrivacy,
    })
    .from(requestLogs)
    .innerJoin(tenants, eq(tenants.id, requestLogs.tenantId))
    .leftJoin(requestLogBodies, eq(requestLogBodies.id, requestLogs.id))
    .where(
      and(
        eq(requestLogs.id, id),
        eq(requestLogs.tenantId, tenantId),
        userId === undefined ? undefined : eq(requestLogs.userId, userId),
      ),
    );
  return row;
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
