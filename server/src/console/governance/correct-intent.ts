import type { IntentCorrection, IntentName } from '@sluice/contract';
import { recordPromptListRead } from '#console/audit-log/record-prompt-reads.ts';
import { limitText } from '#domain/prompt-privacy/limit-text.ts';
import { ConsoleError, notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { findJudgedLog, selectCorrections, upsertCorrection } from './judged-log-store.ts';

/**
 * Stores the prompt, as far as prompt privacy allows, with its correct intent for the trainer until the prompt's
 * retention ends. A second correction replaces the first.
 */
export function correctIntent(
  { principal, inTenant }: SignedInContext,
  id: string,
  intent: IntentName,
): Promise<IntentCorrection> {
  const { tenantId, userId: correctedBy } = principal;
  return inTenant(async (tx) => {
    const log = await findJudgedLog(tx, { tenantId, id });
    if (!log) throw notFound('Log entry');
    if (!log.prompt) throw new ConsoleError(409, 'This request has no prompt to correct');
    const saved = await upsertCorrection(tx, {
      requestId: id,
      tenantId,
      prompt: limitText(log.prompt, log.promptPrivacy),
      intentBefore: log.intent,
      intent,
      correctedBy,
    });
    if (!saved) throw new Error('an upsert answered no row');
    return {
      request_id: saved.requestId,
      intent: saved.intent,
      intent_before: saved.intentBefore,
      corrected_at: saved.correctedAt.toISOString(),
    };
  });
}

/** Lists corrections as the JSON lines that the trainer reads. */
export async function listCorrections(ctx: SignedInContext): Promise<string> {
  const rows = await ctx.inTenant(async (tx) => {
    const corrections = await selectCorrections(tx, ctx.principal.tenantId);
    await recordPromptListRead(
      tx,
      corrections.map(({ requestId }) => requestId),
    );
    return corrections;
  });
  ctx.setHeader('content-type', 'application/x-ndjson; charset=utf-8');
  return rows.map(({ text, label }) => `${JSON.stringify({ text, label })}\n`).join('');
}
