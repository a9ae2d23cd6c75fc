import { cutUsage, type Outcome, sumTokens } from '#domain/allowance/settlement.ts';
import { costOf } from '#domain/price/cost.ts';
import { toChargeJson } from '#domain/price/price.ts';
import { likelyTextTokens } from '#domain/token-estimate.ts';
import type { ProtocolId } from '#protocols/canonical/content.ts';
import type { Usage } from '#protocols/canonical/usage.ts';
import { findProvider } from '#providers/registry.ts';
import type { Answer, Charge, Ended, Ending, StageResults } from '../exchange.ts';
import { findFacts } from '../snapshot/model-facts.ts';
import type { ChargedPrice } from '../snapshot/price-target.ts';

/** Maximum of a log column. Usage up to this maximum is charged, even beyond the output cap that was sent. */
const tokensMax = 2 ** 31 - 1;

export type ChargedExchange = Omit<StageResults['admit'], 'affordable' | 'prices'> &
  Pick<Ended, 'abort' | 'affordable' | 'answer' | 'calls' | 'completion' | 'counted' | 'prices'>;

export function chargeUsage(exchange: ChargedExchange, ending: Ending): Charge {
  const { usage, usageSource } = countUsage(exchange, ending);
  const { costNanoUsd, price } = priceUsage(usage, findPriceOfCall(exchange));
  return { usage, usageSource, costNanoUsd, price };
}

/** Returns the price at the admission, so that hold and charge agree; `null` if none was known. */
function findPriceOfCall({
  affordable,
  calls,
  firstTarget,
  prices,
}: Pick<ChargedExchange, 'affordable' | 'calls' | 'firstTarget' | 'prices'>): ChargedPrice | null {
  const targets: readonly (typeof firstTarget)[] = affordable ?? [];
  return prices?.[targets.indexOf(calls?.target ?? firstTarget)] ?? null;
}

const unpriced = { costNanoUsd: null, price: null };

/** Returns `null` if no price is known or nothing was used. */
export function priceUsage(
  usage: Usage | null,
  charged: ChargedPrice | null,
): Pick<Charge, 'costNanoUsd' | 'price'> {
  if (usage === null || charged === null) return unpriced;
  return {
    costNanoUsd: String(costOf(usage, charged.price, charged.markupPercent)),
    price: toChargeJson(usage, charged.price, charged.markupPercent),
  };
}

export function sumUse(
  { costNanoUsd, usage }: Pick<Charge, 'costNanoUsd' | 'usage'>,
  isServed: boolean,
  isServiceManaged: boolean,
): Outcome {
  // A number represents costs up to nine million dollars exactly.
  const spent = Number(costNanoUsd ?? 0);
  return {
    isServed,
    tokens: usage ? sumTokens(usage) : 0,
    costNanoUsd: isServiceManaged ? spent : 0,
    spentNanoUsd: spent,
  };
}

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
 * Returns the token counts of a request: complete counts reported by the provider, otherwise the known counts plus an
 * estimate.
 */
export function countUsage(exchange: ChargedExchange, ending: Ending): Counted {
  const { answer, hold } = exchange;
  const held = hold.parts.find(isOfDay)?.amount;
  const reported: Counted = { usage: answer?.usage ?? null, usageSource: answer?.usageSource ?? 'none' };
  // A request without a token hold uses no tokens.
  if (held === undefined) return reported;
  const counted =
    reported.usage && isFullyReported(answer) ? reported : estimateUsage(exchange, ending, held);
  const cut = counted.usage && cutUsage(counted.usage, tokensMax);
  return cut ? { usage: cut, usageSource: 'capped' } : counted;
}

const isOfDay = ({ lease }: Pick<ChargedExchange['hold']['parts'][number], 'lease'>) =>
  lease.key.kind === 'tokens_per_day';

/**
 * Returns whether the reported usage can be charged unchanged. Running totals of a broken stream are too low, and a
 * report without input tokens, or without output tokens for a text, lacks a field.
 */
export function isFullyReported(answer: ChargedExchange['answer']): boolean {
  if (answer?.usageSource === 'estimated') return true;
  return answer?.usageSource === 'provider' && reportsInput(answer.usage) && reportsOutput(answer);
}

const reportsInput = (usage: Usage | null) => usage !== null && sumTokens(usage) > usage.outputTokens;

function reportsOutput(answer: ChargedExchange['answer']): boolean {
  if (answer?.usageSource !== 'provider' || !answer.usage) return false;
  const { imageCount, text, usage, written } = answer;
  return usage.outputTokens > 0 || (!text && !written?.texts.length && imageCount === 0);
}

const nothingUsed: Counted = { usage: null, usageSource: 'none' };

function estimateUsage(exchange: ChargedExchange, ending: Ending, held: number): Counted {
  const { abort, answer, calls, counted, likelyInputTokens } = exchange;
  if (!isBilled(exchange, ending)) return nothingUsed;
  const reported = answer?.usage ?? null;
  const input = countInput(counted?.inputTokens ?? likelyInputTokens);
  // Some providers report the input tokens at the start of a stream.
  const base = reported && reportsInput(reported) ? reported : input;
  const usageSource = answer?.written && !abort.hasLeft ? 'partial' : 'estimated';
  if (reported && reportsOutput(answer))
    return { usage: { ...reported, ...base, ...outputOf(reported) }, usageSource };
  const written = counted?.outputTokens ?? estimateWritten(answer);
  const unseenMax = Math.max(0, held - input.inputTokens - written);
  const unseen = calls?.workingSinceMs == null ? 0 : Math.min(unseenMax, estimateUnseen(exchange));
  const outputTokens = Math.max(reported?.outputTokens ?? 0, written + unseen);
  const usage = { ...base, outputTokens, reasoningTokens: Math.max(reported?.reasoningTokens ?? 0, unseen) };
  return { usage, usageSource };
}

const outputOf = ({ outputTokens, reasoningTokens }: Usage) => ({ outputTokens, reasoningTokens });

/**
 * A provider bills a response that this node stopped and a broken one with output, but not a failure without output.
 */
function isBilled({ abort, answer, calls }: ChargedExchange, { status }: Ending): boolean {
  if (!calls?.isSent) return false;
  return status === 'success' || (calls.workingSinceMs !== null && (abort.aborted || hasOutput(answer)));
}

function hasOutput(answer: ChargedExchange['answer']): boolean {
  if (!answer) return false;
  const { imageCount, text, usage, written } = answer;
  return written !== null || text !== null || usage !== null || imageCount > 0;
}

/** Based on the text alone, since the split into events is arbitrary. */
function estimateWritten(answer: ChargedExchange['answer']): number {
  if (!answer) return 0;
  const texts = answer.written?.texts ?? (answer.text ? [answer.text] : []);
  return sumWritten(
    texts.reduce((sum, text) => sum + likelyTextTokens(text), 0),
    answer,
  );
}

/** Output tokens of the largest image from Google's models, the only models with documented counts. */
const tokensPerImage = 2_520;

export function sumWritten(textTokens: number, { imageCount, written }: Answer): number {
  return Math.ceil(textTokens * (written?.scale ?? 1)) + imageCount * tokensPerImage;
}

/** Assumed output speed of models for output that the gateway cannot see. */
const unseenTokensPerSecond = 50;

function estimateUnseen(exchange: ChargedExchange): number {
  const { answer, calls, completion } = exchange;
  const sinceMs = calls?.workingSinceMs ?? null;
  if (sinceMs === null) return 0;
  const isUnseen = completion?.isStream ? hidesReasoning(exchange) : !answer;
  if (!isUnseen) return 0;
  const untilMs = answer?.written?.firstWordAtMs ?? performance.now();
  return unseenTokensPerSecond * Math.max(0, Math.floor((untilMs - sinceMs) / 1000));
}

/** Protocols whose streams always contain the model's reasoning, so that a stream without reasoning had none. */
const showingProtocols: ReadonlySet<ProtocolId> = new Set(['anthropic-messages', 'cohere', 'ollama']);

function hidesReasoning({ answer, calls, completion, firstTarget }: ChargedExchange): boolean {
  const reasoning = answer?.written?.reasoning ?? 'none';
  if (reasoning !== 'none') return reasoning === 'hidden';
  const { instance, model } = calls?.target ?? firstTarget;
  const isHiddenByDefault =
    !showingProtocols.has(findProvider(instance.providerKey).chat.protocol) &&
    findFacts(instance, model)?.reasonsByDefault === true;
  return isHiddenByDefault || (completion?.output.thinkingTokens ?? 0) > 0;
}
