import type { ReasoningEffort, ReasoningOptions } from '../canonical/request.ts';
import { estimateEffort } from '../translation/reasoning-effort.ts';
import { effortShares, limitBudget } from '../translation/thinking-budget.ts';
import { UntranslatableError } from '../translation/untranslatable.ts';
import type { ModelTraits } from './model-traits.ts';
import type { MessagesRequest } from './wire.ts';

export interface EncodedThinking {
  readonly thinking?: object;
  readonly effort?: string;
  readonly isThinking: boolean;
  /** Whether the model cannot provide all of the requested reasoning. */
  readonly isRefused: boolean;
}

/** Conditions that prevent thinking with a budget. Adaptive thinking is not affected. */
export interface ThinkingObstacles {
  readonly outputTokensMax: number;
  readonly isForced: boolean;
  /** Whether the calls whose results the request contains were made without thinking. */
  readonly isThoughtless: boolean;
}

const budgetTokensMin = 1024;
const answerTokensMin = 64;

const unchanged: EncodedThinking = { isThinking: false, isRefused: false };
const refused: EncodedThinking = { isThinking: false, isRefused: true };

export function encodeThinking(
  options: ReasoningOptions | undefined,
  traits: ModelTraits,
  obstacles: ThinkingObstacles,
): EncodedThinking {
  if (options === undefined) return unchanged;
  if (options.effort === 'none' || options.budgetTokens === 0) return encodeOff(traits);
  if (traits.thinking === 'none') return refused;
  const display =
    options.isShown === undefined ? {} : { display: options.isShown ? 'summarized' : 'omitted' };
  if (traits.thinking === 'adaptive') {
    const effort = options.effort ?? estimateEffort(options.budgetTokens);
    return {
      thinking: { type: 'adaptive', ...display },
      ...(effort !== undefined && { effort: writeEffort(effort, traits) }),
      isThinking: true,
      isRefused: false,
    };
  }
  if (obstacles.isForced || obstacles.isThoughtless) return refused;
  const budgetTokens = chooseBudgetTokens(options, obstacles.outputTokensMax);
  if (budgetTokens === null) return refused;
  const thinking = { type: 'enabled', budget_tokens: budgetTokens, ...display };
  return { thinking, isThinking: true, isRefused: budgetTokens < (options.budgetTokens ?? 0) };
}

function encodeOff({ thinkingOff, thinking }: ModelTraits): EncodedThinking {
  if (thinkingOff === 'impossible') return { ...refused, effort: 'low' };
  if (thinkingOff === 'omit' || thinking === 'none') return unchanged;
  return { ...unchanged, thinking: { type: 'disabled' } };
}

function writeEffort(effort: ReasoningEffort, { topEffort }: ModelTraits): string {
  if (effort === 'xhigh') return topEffort;
  return effort === 'minimal' ? 'low' : effort;
}

function chooseBudgetTokens(
  { effort, budgetTokens }: ReasoningOptions,
  outputTokensMax: number,
): number | null {
  const roomTokens = outputTokensMax - answerTokensMin;
  if (roomTokens < budgetTokensMin) return null;
  const isFitting = budgetTokens !== undefined && budgetTokens <= roomTokens;
  const share = Math.floor(effortShares[effort ?? 'medium'] * outputTokensMax);
  const wanted = budgetTokens === undefined ? share : limitBudget(budgetTokens, outputTokensMax);
  return Math.min(Math.max(isFitting ? budgetTokens : wanted, budgetTokensMin), roomTokens);
}

const efforts: Readonly<Record<string, ReasoningEffort>> = {
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'xhigh',
  max: 'xhigh',
  ultra: 'xhigh',
};

/** Returns `undefined` if the caller set neither `thinking` nor an effort. */
export function decodeThinking({
  thinking,
  output_config,
  messages,
}: Pick<MessagesRequest, 'thinking' | 'output_config' | 'messages'>): ReasoningOptions | undefined {
  const latest = messages.findLast((message) => message.output_config?.effort != null);
  const effort = decodeEffort(latest?.output_config?.effort ?? output_config?.effort);
  if (!thinking) return effort && { effort };
  if (thinking.type === 'disabled') return { effort: 'none' };
  if (thinking.type === 'between_tools') return { effort: 'minimal' };
  const { display, budget_tokens: budgetTokens } = thinking;
  return {
    ...(!effort && typeof budgetTokens !== 'number' && { isOn: true }),
    ...(effort && { effort }),
    ...(typeof budgetTokens === 'number' && { budgetTokens }),
    ...(typeof display === 'string' && { isShown: display !== 'omitted' }),
  };
}

function decodeEffort(effort: string | null | undefined): ReasoningEffort | undefined {
  if (effort == null) return undefined;
  const known = Object.hasOwn(efforts, effort) ? efforts[effort] : undefined;
  if (known) return known;
  throw new UntranslatableError(
    `Invalid value for 'output_config.effort': '${effort}' is not an effort level.`,
    'output_config.effort',
  );
}
