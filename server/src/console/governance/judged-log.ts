import { type IntentCorrection, type IntentName, type IntentReading, intentNames } from '@sluice/contract';
import { recordPromptListRead, recordPromptRead } from '#console/audit-log/record-prompt-reads.ts';
import type { LogTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { limitText } from '#domain/prompt-privacy/redact-text.ts';
import { ConsoleError, notFound } from '#errors/console-error.ts';
import { TextBody } from '#http/verbs.ts';
import { classify } from '#intent/classify.ts';
import { explain } from '#intent/explain.ts';
import type { IntentModel } from '#intent/model.ts';
import { findJudgedLog, selectCorrections, upsertCorrection } from './judged-log-store.ts';

/** Administrators see the same explanation as the user who sent the prompt. */
export async function explainLog(
  intentModel: IntentModel,
  tx: LogTransaction,
  author: Principal,
  { id, isOwn }: { readonly id: string; readonly isOwn: boolean },
): Promise<IntentReading> {
  const { tenantId, userId } = author;
  const log = await findJudgedLog(tx, isOwn ? { tenantId, id, userId } : { tenantId, id });
  if (!log?.prompt) throw notFound('Prompt');
  await recordPromptRead(tx, id);
  const stored = intentNames.find((name) => name === log.intent);
  return readIntent(log.prompt, intentModel, stored);
}

/**
 * The prompt is stored, as far as prompt privacy allows, until its retention ends. A second correction replaces the
 * first.
 */
export async function correctIntent(
  tx: LogTransaction,
  author: Principal,
  { id, intent }: { readonly id: string; readonly intent: IntentName },
): Promise<IntentCorrection> {
  const { tenantId, userId: correctedBy } = author;
  const log = await findJudgedLog(tx, { tenantId, id });
  if (!log) throw notFound('Log entry');
  if (!log.prompt)
    throw new ConsoleError(
      409,
      'The prompt of this request is not stored, so its intent cannot be corrected',
    );
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
}

export async function listCorrections(tx: LogTransaction, author: Principal): Promise<TextBody> {
  const corrections = await selectCorrections(tx, author.tenantId);
  await recordPromptListRead(
    tx,
    corrections.map(({ requestId }) => requestId),
  );
  const lines = corrections.map(({ text, label }) => `${JSON.stringify({ text, label })}\n`);
  return new TextBody('application/x-ndjson; charset=utf-8', lines.join(''));
}

/**
 * Returns the classified intent of a prompt with its score and indicative words. If `given` is set, returns these for
 * the given intent.
 */
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
