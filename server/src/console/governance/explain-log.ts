import { type IntentReading, intentNames } from '@sluice/contract';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import type { IntentModel } from '#intent/model.ts';
import { findJudgedLog } from './judged-log-store.ts';
import { readIntent } from './read-intent.ts';

/** Why a stored prompt was read as it was; an administrator sees the same as the person who sent it. */
export async function explainLog(
  intentModel: IntentModel,
  { principal, inTenant }: SignedInContext,
  id: string,
  isOwn: boolean,
): Promise<IntentReading> {
  const { tenantId, userId } = principal;
  const log = await inTenant((tx) => findJudgedLog(tx, isOwn ? { tenantId, id, userId } : { tenantId, id }));
  if (!log?.prompt) throw notFound('Prompt');
  const stored = intentNames.find((name) => name === log.intent);
  return readIntent(log.prompt, intentModel, stored);
}
