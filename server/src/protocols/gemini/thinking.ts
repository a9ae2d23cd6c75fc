import type { ReasoningEffort, ReasoningWish } from '../canonical/request.ts';
import { UntranslatableError } from '../translation/untranslatable.ts';
import type { ModelTraits, ThinkingLevel, ThinkingTrait } from './model-traits.ts';
import type { ThinkingConfig } from './wire.ts';

export interface EncodedThinking {
  readonly config?: object;
  /** The wish could not be granted, or not in full. */
  readonly isRefused: boolean;
}

/** A wish for reasoning in the terms that a model knows. Who asks for thoughts is shown them, unless they say no. */
export function encodeThinking(wish: ReasoningWish | undefined, { thinking }: ModelTraits): EncodedThinking {
  if (wish === undefined) return { isRefused: false };
  const isOff = wish.effort === 'none' || wish.budgetTokens === 0;
  if (thinking.kind === 'none') return { isRefused: !isOff };
  const { amount, isRefused } = isOff ? encodeOff(thinking) : encodeAmount(wish, thinking);
  const shown = isOff ? {} : { includeThoughts: wish.isShown ?? true };
  return { config: { ...amount, ...shown }, isRefused };
}

interface EncodedAmount {
  readonly amount: { readonly thinkingBudget?: number; readonly thinkingLevel?: string };
  readonly isRefused: boolean;
}

type Thinking = Exclude<ThinkingTrait, { kind: 'none' }>;

// The third generation always thinks; a little is the nearest to nothing.
function encodeOff(thinking: Thinking): EncodedAmount {
  if (thinking.kind === 'level')
    return { amount: { thinkingLevel: fitLevel('minimal', thinking.levels) }, isRefused: true };
  const { canBeOff, tokensMin } = thinking;
  return { amount: { thinkingBudget: canBeOff ? 0 : tokensMin }, isRefused: !canBeOff };
}

// A budget is taken by all that think, and a level never beside one.
function encodeAmount({ effort, budgetTokens }: ReasoningWish, thinking: Thinking): EncodedAmount {
  if (thinking.kind === 'level') {
    if (budgetTokens !== undefined) return { amount: { thinkingBudget: budgetTokens }, isRefused: false };
    return {
      amount: effort === undefined ? {} : { thinkingLevel: fitLevel(effort, thinking.levels) },
      isRefused: false,
    };
  }
  const wanted = budgetTokens ?? (effort && budgets[effort]);
  if (wanted === undefined) return { amount: {}, isRefused: false };
  const thinkingBudget = Math.min(Math.max(wanted, thinking.tokensMin), thinking.tokensMax);
  return {
    amount: { thinkingBudget },
    isRefused: budgetTokens !== undefined && thinkingBudget < budgetTokens,
  };
}

/** What an effort may think, in tokens; the least and the most are cut to what a model takes. */
const budgets: Readonly<Record<ReasoningEffort, number>> = {
  none: 0,
  minimal: 512,
  low: 1_024,
  medium: 8_192,
  high: 24_576,
  xhigh: 32_768,
};

const order: readonly string[] = ['minimal', 'low', 'medium', 'high'] satisfies ThinkingLevel[];

/** The nearest level that a model knows: the next higher one, else its highest. */
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

/** The wish behind `thinkingConfig`; a budget of -1 leaves the amount to the model. */
export function decodeThinking(config: ThinkingConfig | null | undefined): ReasoningWish | undefined {
  if (!config) return undefined;
  const { includeThoughts, thinkingBudget, thinkingLevel } = config;
  if (thinkingBudget === 0) return { effort: 'none' };
  const effort = decodeLevel(thinkingLevel);
  return {
    ...(effort && { effort }),
    ...(thinkingBudget != null && thinkingBudget > 0 && { budgetTokens: thinkingBudget }),
    ...(includeThoughts != null && { isShown: includeThoughts }),
  };
}

function decodeLevel(level: string | null | undefined): ReasoningEffort | undefined {
  const word = level?.toUpperCase() ?? 'THINKING_LEVEL_UNSPECIFIED';
  if (word === 'THINKING_LEVEL_UNSPECIFIED') return undefined;
  if (Object.hasOwn(efforts, word)) return efforts[word];
  const param = 'generationConfig.thinkingConfig.thinkingLevel';
  throw new UntranslatableError(`Invalid value for '${param}': '${level}' is not a level.`, param);
}
