import { type IntentReading, intentNames } from '@sluice/contract';
import { recordPromptRead } from '#console/audit-log/record-prompt-reads.ts';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import type { IntentModel } from '#intent/model.ts';
import { findJudgedLog } from './judged-log-store.ts';
import { readIntent } from './read-intent.ts';

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
