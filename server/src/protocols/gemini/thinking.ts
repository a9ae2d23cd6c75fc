import type { ReasoningEffort, ReasoningOptions } from '../canonical/request.ts';
import { effortShares, limitBudget } from '../translation/thinking-budget.ts';
import { UntranslatableError } from '../translation/untranslatable.ts';
import type { ModelTraits, ThinkingLevel, ThinkingTrait } from './model-traits.ts';
import type { ThinkingConfig } from './wire.ts';

export interface EncodedThinking {
  readonly config?: object;
  /** Whether the model cannot fully apply the requested reasoning. */
  readonly isRefused: boolean;
}

/** Thoughts are included unless the caller declines them, and count against `outputTokensMax`. */
export function encodeThinking(
  options: ReasoningOptions | undefined,
  { thinking }: ModelTraits,
  outputTokensMax = Number.POSITIVE_INFINITY,
): EncodedThinking {
  if (options === undefined) return { isRefused: false };
  const isOff = options.effort === 'none' || options.budgetTokens === 0;
  if (thinking.kind === 'none') return { isRefused: !isOff };
  const { amount, isRefused } = isOff
    ? encodeOff(thinking)
    : encodeAmount(options, thinking, outputTokensMax);
  const shown = isOff ? {} : { includeThoughts: options.isShown ?? true };
  return { config: { ...amount, ...shown }, isRefused };
}

interface EncodedAmount {
  readonly amount: { readonly thinkingBudget?: number; readonly thinkingLevel?: string };
  readonly isRefused: boolean;
}

type Thinking = Exclude<ThinkingTrait, { kind: 'none' }>;

// Third-generation models always think, so the lowest level is used.
function encodeOff(thinking: Thinking): EncodedAmount {
  if (thinking.kind === 'level')
    return { amount: { thinkingLevel: fitLevel('minimal', thinking.levels) }, isRefused: true };
  const { canBeOff, tokensMin } = thinking;
  return { amount: { thinkingBudget: canBeOff ? 0 : tokensMin }, isRefused: !canBeOff };
}

// Every thinking model accepts a budget, but not together with a level.
function encodeAmount(options: ReasoningOptions, thinking: Thinking, outputTokensMax: number): EncodedAmount {
  const { effort, budgetTokens } = options;
  const usualTokens = budgetTokens ?? budgets[effort ?? 'medium'];
  const fittingTokens = fitToCap(options, usualTokens, outputTokensMax);
  if (budgetTokens === undefined && fittingTokens === usualTokens) {
    if (effort === undefined) return { amount: {}, isRefused: false };
    if (thinking.kind === 'level')
      return { amount: { thinkingLevel: fitLevel(effort, thinking.levels) }, isRefused: false };
  }
  const { tokensMin, tokensMax, canBeOff } = thinking.kind === 'budget' ? thinking : unlimited;
  // The model's minimum thinking budget would leave no room for the response.
  const isTooMuch = tokensMin >= outputTokensMax;
  const fitting = Math.max(Math.min(fittingTokens, tokensMax), tokensMin);
  const thinkingBudget = isTooMuch && canBeOff ? 0 : fitting;
  const isLess = budgetTokens !== undefined && thinkingBudget < budgetTokens;
  return { amount: { thinkingBudget }, isRefused: isTooMuch || isLess };
}

function fitToCap(
  { effort, budgetTokens }: ReasoningOptions,
  usualTokens: number,
  outputTokensMax: number,
): number {
  if (budgetTokens !== undefined) return limitBudget(budgetTokens, outputTokensMax);
  const share = Math.floor(effortShares[effort ?? 'medium'] * outputTokensMax);
  return Math.min(usualTokens, Math.max(share, 1));
}

const unlimited = { tokensMin: 1, tokensMax: Number.POSITIVE_INFINITY, canBeOff: false };

/** Thinking budgets by effort, in tokens, before they are limited to the model's range. */
const budgets: Readonly<Record<ReasoningEffort, number>> = {
  none: 0,
  minimal: 512,
  low: 1_024,
  medium: 8_192,
  high: 24_576,
  xhigh: 32_768,
};

const order: readonly string[] = ['minimal', 'low', 'medium', 'high'] satisfies ThinkingLevel[];

/** Returns the lowest supported level that is at least the effort, or the model's highest level. */
function fitLevel(effort: ReasoningEffort, levels: readonly ThinkingLevel[]): string {
  const wanted = effort === 'xhigh' ? order.length : order.indexOf(effort);
  return (levels.find((level) => order.indexOf(level) >= wanted) ?? levels.at(-1) ?? 'high').toUpperCase();
}

const efforts: Readonly<Record<string, ReasoningEffort>> = {
  MINIMAL: 'minimal',
  LOW: 'low',
  MEDIUM: 'medium',
  HIGH: 'high',
};

/** A budget of -1 leaves the amount to the model. */
export function decodeThinking(config: ThinkingConfig | null | undefined): ReasoningOptions | undefined {
  if (!config) return undefined;
  const { includeThoughts, thinkingBudget, thinkingLevel } = config;
  if (thinkingBudget === 0) return { effort: 'none' };
  const effort = decodeLevel(thinkingLevel);
  return {
    ...(effort && { effort }),
    ...(thinkingBudget != null && thinkingBudget > 0 && { budgetTokens: thinkingBudget }),
    ...(thinkingBudget === -1 && !effort && { isOn: true }),
    ...(includeThoughts != null && { isShown: includeThoughts }),
  };
}

function decodeLevel(level: string | null | undefined): ReasoningEffort | undefined {
  const word = level?.toUpperCase() ?? 'THINKING_LEVEL_UNSPECIFIED';
  if (word === 'THINKING_LEVEL_UNSPECIFIED') return undefined;
  if (Object.hasOwn(efforts, word)) return efforts[word];
  const param = 'generationConfig.thinkingConfig.thinkingLevel';
  throw new UntranslatableError(`Invalid value for '${param}': '${level}' is not a thinking level.`, param);
}
