import { type IntentCorrection, type IntentName, type IntentReading, intentNames } from '@sluice/contract';
import { recordPromptListRead, recordPromptRead } from '#console/audit-log/record-prompt-reads.ts';
import { limitText } from '#domain/prompt-privacy/redact-text.ts';
import { ConsoleError, notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { classify } from '#intent/classify.ts';
import { explain } from '#intent/explain.ts';
import type { IntentModel } from '#intent/model.ts';
import { findJudgedLog, selectCorrections, upsertCorrection } from './judged-log-store.ts';

/** Explains the classification of a stored prompt; administrators see the same as its sender. */
export async function explainLog(
  intentModel: IntentModel,
  { principal, inTenant }: SignedInContext,
  id: string,
  isOwn: boolean,
): Promise<IntentReading> {
  const { tenantId, userId } = principal;
  const { prompt, intent } = await inTenant(async (tx) => {
    const log = await findJudgedLog(tx, isOwn ? { tenantId, id, userId } : { tenantId, id });
    if (!log?.prompt) throw notFound('Prompt');
    await recordPromptRead(tx, id);
    return { prompt: log.prompt, intent: log.intent };
  });
  const stored = intentNames.find((name) => name === intent);
  return readIntent(prompt, intentModel, stored);
}

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
    if (!saved) throw new Error('the upsert returned no row');
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

/** Returns the intent of a prompt and the words that indicate it, or the score of a given intent. */
export function readIntent(text: string, model: IntentModel, given?: IntentName): IntentReading {
  const { intent: likeliest, probabilities } = classify(text, model);
  const intent = given ?? likeliest;
  const words = explain(text, intent, model).words.map(({ start, end, weight }) => ({
    text: text.slice(start, end),
    start,
    end,
    weight,
  }));
  return { intent, confidence: probabilities[intent], probabilities, words };
}
