import { type LogBody, loggedBodyBytesMax } from '@sluice/contract';
import { and, eq } from 'drizzle-orm';
import { recordPromptRead } from '#console/audit-log/record-prompt-reads.ts';
import { requestLogBodies } from '#db/schema/request-log-bodies.ts';
import { requestLogs } from '#db/schema/request-logs.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { decompressText } from '#domain/compressed-text.ts';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';

/** Returns the stored part of a request's body. */
export async function getLogBody(ctx: SignedInContext, id: string): Promise<LogBody> {
  return ctx.inTenant(async (tx) => {
    const row = await findBody(tx, ctx.principal.tenantId, id);
    if (!row) throw notFound('Log entry');
    const body = readBody(row);
    if (body !== null) await recordPromptRead(tx, id);
    return {
      id,
      body,
      is_cut: body !== null && (row.bytes ?? 0) > loggedBodyBytesMax,
      bytes: row.bytes ?? 0,
      sha256: row.sha256?.toString('hex') ?? null,
      prompt_privacy: row.promptPrivacy,
    };
  });
}

async function findBody(tx: TenantTransaction, tenantId: number, id: string) {
  const [row] = await tx
    .select({
      prompt: requestLogBodies.prompt,
      text: requestLogBodies.requestBody,
      compressed: requestLogBodies.requestBodyZstd,
      bytes: requestLogBodies.requestBytes,
      sha256: requestLogBodies.requestSha256,
      promptPrivacy: requestLogBodies.promptPrivacy,
    })
    .from(requestLogs)
    .leftJoin(requestLogBodies, eq(requestLogBodies.id, requestLogs.id))
    .where(and(eq(requestLogs.tenantId, tenantId), eq(requestLogs.id, id)));
  return row;
}

type Row = NonNullable<Awaited<ReturnType<typeof findBody>>>;

const readBody = ({ compressed, prompt, text }: Row): string | null =>
  compressed ? decompressText(compressed, prompt) : text;
