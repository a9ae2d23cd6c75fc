import { cutUsage, type Outcome, sumTokens } from '#domain/allowance/settlement.ts';
import { costOf } from '#domain/price/cost.ts';
import { toChargeJson } from '#domain/price/price-json.ts';
import { isReasoningModel } from '#domain/reasoning-model.ts';
import { likelyTextTokens } from '#domain/token-estimate.ts';
import type { Usage } from '#protocols/canonical/usage.ts';
import type { Charge, Ended, Ending, StageResults, WrittenOutput } from '../exchange.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { type ChargedPrice, findChargedPrice } from './pricing.ts';

/** What a column of the log holds. All that a provider reports within it is charged, also beyond the cap that it was sent. */
const tokensMax = 2 ** 31 - 1;

/** What of an admitted request bears on its bill. */
export type ChargedExchange = Omit<StageResults['admit'], 'affordable'> &
  Pick<Ended, 'abort' | 'answer' | 'calls' | 'completion' | 'counted' | 'receivedAtMs'>;

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

/** Returns the tokens of a request: those that the provider reports in full, else what is known of them and an estimate of the rest. */
export function countUsage(exchange: ChargedExchange, ending: Ending): Counted {
  const { answer, hold } = exchange;
  const held = hold.parts.find(({ lease }) => lease.key.kind === 'tokens_per_day')?.amount;
  const reported: Counted = { usage: answer?.usage ?? null, usageSource: answer?.usageSource ?? 'none' };
  // A request that holds no tokens uses none.
  if (held === undefined) return reported;
  const counted =
    reported.usage && !isProvisional(reported) ? reported : estimateUsage(exchange, ending, held);
  const cut = counted.usage && cutUsage(counted.usage, tokensMax);
  return cut ? { usage: cut, usageSource: 'capped' } : counted;
}

/** A provider may report running totals; those of a stream that broke are too low. */
const isProvisional = ({ usageSource }: Counted) => usageSource === 'partial' || usageSource === 'none';

const nothingUsed: Counted = { usage: null, usageSource: 'none' };

function estimateUsage(exchange: ChargedExchange, ending: Ending, held: number): Counted {
  const { abort, answer, calls, counted, likelyInputTokens } = exchange;
  if (!isBilled(exchange, ending)) return nothingUsed;
  const told = answer?.usage ?? null;
  const input = countInput(counted?.inputTokens ?? likelyInputTokens);
  // Some providers report the input at the start of a stream.
  const base = told && sumTokens({ ...told, outputTokens: 0 }) > 0 ? told : input;
  const written = counted?.outputTokens ?? estimateWritten(answer);
  const unseenMax = Math.max(0, held - input.inputTokens - written);
  const unseen = calls?.workingSinceMs == null ? 0 : Math.min(unseenMax, estimateUnseen(exchange));
  const outputTokens = Math.max(told?.outputTokens ?? 0, written + unseen);
  const usage = { ...base, outputTokens, reasoningTokens: Math.max(told?.reasoningTokens ?? 0, unseen) };
  return { usage, usageSource: answer?.written && !abort.hasLeft ? 'partial' : 'estimated' };
}

/** A provider bills what it has generated, whether this node has stopped it or not; it bills no failure of its own. */
function isBilled({ abort, answer, calls }: ChargedExchange, { status }: Ending): boolean {
  if (!calls?.isSent) return false;
  return status === 'success' || (calls.workingSinceMs !== null && (abort.aborted || answer != null));
}

/** What has come, by its text alone: how it was split into events says nothing. */
function estimateWritten(answer: ChargedExchange['answer']): number {
  const whole = { texts: answer?.text ? [answer.text] : [], scale: 1 };
  const { texts, scale }: Pick<WrittenOutput, 'texts' | 'scale'> = answer?.written ?? whole;
  return Math.ceil(texts.reduce((sum, text) => sum + likelyTextTokens(text), 0) * scale);
}

/** What models write in a second, for output that the gate cannot see. */
const unseenTokensPerSecond = 50;

/** What was generated unseen, by the time it took: reasoning before the first word, and a whole answer that never came. */
function estimateUnseen(exchange: ChargedExchange): number {
  const { answer, calls, completion } = exchange;
  const sinceMs = calls?.workingSinceMs ?? null;
  if (sinceMs === null) return 0;
  const isUnseen = completion?.isStream ? hidesReasoning(exchange) : !answer;
  if (!isUnseen) return 0;
  const untilMs = answer?.written?.firstWordAtMs ?? performance.now();
  return unseenTokensPerSecond * Math.max(0, Math.floor((untilMs - sinceMs) / 1000));
}

function hidesReasoning({ answer, calls, completion, firstTarget }: ChargedExchange): boolean {
  const reasoning = answer?.written?.reasoning ?? 'none';
  if (reasoning !== 'none') return reasoning === 'hidden';
  const { model } = calls?.target ?? firstTarget;
  return isReasoningModel(model) || (completion?.output.thinkingTokens ?? 0) > 0;
}
