import { cutOutput, cutUsage, sumTokens, usedOf } from '#domain/allowance/settlement.ts';
import { costOf } from '#domain/price/cost.ts';
import { describeCharge } from '#domain/price/price-json.ts';
import { estimateTextTokens, likelyTokens } from '#domain/token-estimate.ts';
import type { Usage } from '#protocols/canonical/usage.ts';
import type { Attempt } from '../exchange.ts';
import type { RecordedHold, RequestRecord } from '../request-record.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { type ChargedPrice, findChargedPrice } from './pricing.ts';

/**
 * An output of more than so many times the whole hold is cut: the provider was told a cap, so what goes beyond is its
 * fault and nobody's bill. The input is charged as it is reported, or what an estimate missed would be a present.
 */
const overrunMax = 2;
/** What a column of the log holds. */
const tokensMax = 2 ** 31 - 1;

/** What of an exchange bears on its bill. */
export interface ChargedExchange {
  readonly record: RequestRecord;
  readonly attempts: readonly Attempt[];
  readonly outputCap: number | null;
}

/** Settles what a request has used and what it costs, on its row and in its hold. */
export function chargeUsage({ attempts, outputCap, record }: ChargedExchange, snapshot: Snapshot): void {
  const { hold } = record;
  if (!hold) return;
  countUsage(record, hold, outputCap !== null);
  const target = attempts.find(
    ({ instance, model }) => instance.id === record.llmProviderId && model === record.model,
  );
  priceUsage(
    record,
    record.usage,
    target ? findChargedPrice(snapshot, target.instance, target.model, record.receivedAtMs) : null,
  );
  noteUsed(record, hold);
}

/**
 * Settles the tokens of a request on its row: those that the provider told; where it told none,
 * what was received and a likely count of the input, for a provider bills its input once it generates.
 */
function countUsage(record: RequestRecord, hold: RecordedHold, isCapped: boolean): void {
  const held = hold.parts.find(({ kind }) => kind === 'tokens_per_day')?.amount;
  // What holds none uses none.
  if (held === undefined) return;
  fillGaps(record, hold);
  if (!record.usage) return;
  const fair = isCapped ? cutOutput(record.usage, held * overrunMax) : null;
  const cut = cutUsage(fair ?? record.usage, tokensMax) ?? fair;
  if (!cut) return;
  record.usage = cut;
  record.usageSource = 'capped';
}

/** Writes onto the row what tokens cost; nothing where no price is known or nothing was used. */
export function priceUsage(record: RequestRecord, usage: Usage | null, charged: ChargedPrice | null): void {
  const isPriced = usage !== null && charged !== null;
  record.costNanoUsd = isPriced ? String(costOf(usage, charged.price, charged.markupPercent)) : null;
  record.price = isPriced ? describeCharge(usage, charged.price, charged.markupPercent) : null;
}

/** Writes into the hold what the request has used of each part. */
export function noteUsed(
  { costNanoUsd, isSent, isServiceManaged, status, usage }: RequestRecord,
  hold: RecordedHold,
): void {
  const tokens = usage ? sumTokens(usage) : 0;
  // A number holds a request's cost exactly up to nine million dollars.
  const cost = isServiceManaged ? Number(costNanoUsd ?? 0) : 0;
  const outcome = { isServed: isSent || status === 'success', tokens, costNanoUsd: cost };
  for (const part of hold.parts) part.used = usedOf(part.kind, outcome);
}

/** What a request of which nothing came back is charged for: its input, as likely as it can be counted. */
export function countInput({ inputTokens }: RecordedHold): Usage {
  return {
    inputTokens,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: 0,
    reasoningTokens: 0,
  };
}

function fillGaps(record: RequestRecord, hold: RecordedHold): void {
  const { usage, usageSource, status, errorCode, isSent, response } = record;
  const input = countInput(hold);
  // Some providers tell the input at the start of a stream.
  if (usageSource === 'partial' && usage && sumTokens({ ...usage, outputTokens: 0 }) === 0)
    record.usage = { ...usage, inputTokens: input.inputTokens };
  // Whoever cut it off, the provider was at work.
  const isCutOff = status === 'client_closed' || errorCode === 'access_withdrawn';
  const isUntold = usage === null && isSent && (status === 'success' || isCutOff);
  if (!isUntold) return;
  record.usage = { ...input, outputTokens: response ? likelyTokens(estimateTextTokens(response)) : 0 };
  record.usageSource = 'estimated';
}
