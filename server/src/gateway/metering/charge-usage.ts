import { cutOutput, cutUsage, type Outcome, sumTokens } from '#domain/allowance/settlement.ts';
import { costOf } from '#domain/price/cost.ts';
import { toChargeJson } from '#domain/price/price-json.ts';
import { estimateTextTokens, likelyTokens } from '#domain/token-estimate.ts';
import type { Usage } from '#protocols/canonical/usage.ts';
import type { Charge, Ended, Ending, StageResults } from '../exchange.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { type ChargedPrice, findChargedPrice } from './pricing.ts';

/**
 * An output of more than so many times the whole hold is cut: the provider was sent a cap, so what goes beyond is its
 * fault and is not charged. The input is charged as reported, or what an estimate missed would be free.
 */
const overrunMax = 2;
/** What a column of the log holds. */
const tokensMax = 2 ** 31 - 1;

/** What of an admitted request bears on its bill. */
export type ChargedExchange = StageResults['admit'] & Pick<Ended, 'answer' | 'calls' | 'receivedAtMs'>;

/** What a request that ends so has used and what it costs. */
export function chargeUsage(exchange: ChargedExchange, ending: Ending, snapshot: Snapshot): Charge {
  const { calls, firstTarget, receivedAtMs } = exchange;
  const { instance, model } = calls?.target ?? firstTarget;
  const counted = countUsage(exchange, ending);
  const charged = counted.usage && findChargedPrice(snapshot, instance, model, receivedAtMs);
  return { ...counted, ...priceUsage(counted.usage, charged) };
}

/** What tokens cost; nothing where no price is known or nothing was used. */
export function priceUsage(
  usage: Usage | null,
  charged: ChargedPrice | null,
): Pick<Charge, 'costNanoUsd' | 'price'> {
  if (usage === null || charged === null) return { costNanoUsd: null, price: null };
  return {
    costNanoUsd: String(costOf(usage, charged.price, charged.markupPercent)),
    price: toChargeJson(usage, charged.price, charged.markupPercent),
  };
}

/** What a request has come to, as its limits count it. */
export function sumUse(
  { costNanoUsd, usage }: Pick<Charge, 'costNanoUsd' | 'usage'>,
  isServed: boolean,
  isServiceManaged: boolean,
): Outcome {
  // A number holds a request's cost exactly up to nine million dollars.
  const cost = isServiceManaged ? Number(costNanoUsd ?? 0) : 0;
  return { isServed, tokens: usage ? sumTokens(usage) : 0, costNanoUsd: cost };
}

/** What a request of which nothing came back is charged for: its input, as likely as it can be counted. */
export function countInput(inputTokens: number): Usage {
  return {
    inputTokens,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: 0,
    reasoningTokens: 0,
  };
}

type Counted = Pick<Charge, 'usage' | 'usageSource'>;

/**
 * The tokens of a request: those that the provider reports; where it reports none, what was received and a likely count of
 * the input, for a provider bills its input once it generates.
 */
function countUsage(exchange: ChargedExchange, ending: Ending): Counted {
  const { answer, hold, outputCap } = exchange;
  const reported = { usage: answer?.usage ?? null, usageSource: answer?.usageSource ?? 'none' };
  const held = hold.parts.find(({ lease }) => lease.key.kind === 'tokens_per_day')?.amount;
  // What holds none uses none.
  if (held === undefined) return reported;
  const counted = fillGaps(reported, exchange, ending);
  const { usage } = counted;
  if (!usage) return counted;
  const fair = outputCap === null ? null : cutOutput(usage, held * overrunMax);
  const cut = cutUsage(fair ?? usage, tokensMax) ?? fair;
  return cut ? { usage: cut, usageSource: 'capped' } : counted;
}

function fillGaps(
  reported: Counted,
  { answer, calls, likelyInputTokens }: ChargedExchange,
  { errorCode, status }: Ending,
): Counted {
  const { usage, usageSource } = reported;
  const input = countInput(likelyInputTokens);
  if (usage !== null) {
    // Some providers report the input at the start of a stream.
    const lacksInput = usageSource === 'partial' && sumTokens({ ...usage, outputTokens: 0 }) === 0;
    return lacksInput ? { usage: { ...usage, inputTokens: input.inputTokens }, usageSource } : reported;
  }
  // Whoever cut it off, the provider was at work.
  const isCutOff = status === 'client_closed' || errorCode === 'access_withdrawn';
  if (!calls?.isSent || !(status === 'success' || isCutOff)) return reported;
  const outputTokens = answer?.text ? likelyTokens(estimateTextTokens(answer.text)) : 0;
  return { usage: { ...input, outputTokens }, usageSource: 'estimated' };
}
