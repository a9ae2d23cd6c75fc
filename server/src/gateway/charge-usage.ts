import { cutUsage, sumTokens, usedOf } from '#domain/allowance/settlement.ts';
import { estimateTextTokens, likelyTokens } from '#domain/token-estimate.ts';
import type { Usage } from '#protocols/canonical/usage.ts';
import type { RecordedHold, RequestRecord } from './request-record.ts';

/** A provider may report so many times what was held; what it reports beyond is its fault and nobody's bill. */
const overrunMax = 2;
/** What a column of the log holds. */
const tokensMax = 2 ** 31 - 1;

/**
 * Settles the tokens of an ended request on its row (reliability, section 2): those that the provider told; where it
 * told none, what was received and a likely count of the input, for a provider bills its input once it generates.
 */
export function chargeUsage(record: RequestRecord, hold: RecordedHold, isCapped: boolean): void {
  fillGaps(record, hold);
  if (!record.usage) return;
  const held = hold.parts.find(({ kind }) => kind === 'tokens_per_day')?.amount ?? tokensMax;
  const cut = cutUsage(record.usage, isCapped ? Math.min(tokensMax, held * overrunMax) : tokensMax);
  if (!cut) return;
  record.usage = cut;
  record.usageSource = 'capped';
}

/** Of a request that was cut off with this process: what it was admitted with is all that is known. */
export function chargeInterrupted(record: RequestRecord, hold: RecordedHold): void {
  record.isSent = true;
  record.usage = countInput(hold);
  record.usageSource = 'estimated';
  noteUsed(record, hold);
}

/** Writes into the hold what the request has used of each part. */
export function noteUsed({ isSent, usage }: RequestRecord, hold: RecordedHold): void {
  const outcome = { isSent, tokens: usage ? sumTokens(usage) : 0, costNanoUsd: 0 };
  for (const part of hold.parts) part.used = usedOf(part.kind, outcome);
}

function fillGaps(record: RequestRecord, hold: RecordedHold): void {
  const { usage, usageSource, status, isSent, response } = record;
  const input = countInput(hold);
  if (usageSource === 'partial' && usage) record.usage = { ...usage, inputTokens: input.inputTokens };
  const isUntold = usage === null && isSent && (status === 'success' || status === 'client_closed');
  if (!isUntold) return;
  record.usage = { ...input, outputTokens: likelyTokens(estimateTextTokens(response ?? '')) };
  record.usageSource = 'estimated';
}

function countInput({ inputTokens }: RecordedHold): Usage {
  return {
    inputTokens: likelyTokens(inputTokens),
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: 0,
    reasoningTokens: 0,
  };
}
