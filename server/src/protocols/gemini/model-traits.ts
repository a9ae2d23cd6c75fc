import type { ModelFacts } from '../canonical/request.ts';

/** Features and limits of a model. Google's API differs by model version, not by endpoint. */
export interface ModelTraits {
  readonly thinking: ThinkingTrait;
  /**
   * Whether this is a third-generation model. These require signed calls in the history, and support images in tool
   * results and a response format together with tools.
   */
  readonly isThirdGeneration: boolean;
  readonly hasSystemInstruction: boolean;
  readonly hasSampling: boolean;
}

/** How thinking is controlled: by a token budget or by a level. `canBeOff` is whether a budget of 0 is accepted. */
export type ThinkingTrait =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'budget';
      readonly tokensMin: number;
      readonly tokensMax: number;
      readonly canBeOff: boolean;
    }
  | { readonly kind: 'level'; readonly levels: readonly ThinkingLevel[] };

export type ThinkingLevel = 'minimal' | 'low' | 'medium' | 'high';

/**
 * Returns the traits of a model, from the model data if listed there, otherwise from the generation in its name, such
 * as `gemini-2.5-flash-lite`, `models/gemini-3-pro-preview`, or `gemini-flash-latest`.
 */
export function readModelTraits(model: string, facts: ModelFacts = {}): ModelTraits {
  const traits = { ...readGeneration(model), hasSampling: facts.sampling !== false };
  if (facts.reasoning === false) return { ...traits, thinking: { kind: 'none' } };
  const isUnknown = facts.reasoning === true && traits.thinking.kind === 'none';
  return isUnknown ? { ...traits, thinking: readBudget(model.toLowerCase()) } : traits;
}

function readGeneration(model: string): Omit<ModelTraits, 'hasSampling'> {
  const name = model.toLowerCase();
  const traits = { isThirdGeneration: false, hasSystemInstruction: !/gemma-[123]/.test(name) };
  if (!name.includes('gemini')) return { ...traits, thinking: { kind: 'none' } };
  const [, major, minor = '0'] = /gemini-(\d+)(?:\.(\d+))?(?!\d)/.exec(name) ?? [];
  // A name without a version refers to the newest model. Uses a budget, which every thinking model accepts.
  if (major === undefined) return { ...traits, thinking: readBudget(name), isThirdGeneration: true };
  const version = Number(major) * 100 + Number(minor);
  if (version >= 300) return { ...traits, thinking: readLevels(name, version), isThirdGeneration: true };
  const isThinking = version >= 205 || name.includes('thinking');
  return { ...traits, thinking: isThinking ? readBudget(name) : { kind: 'none' } };
}

function readBudget(name: string): ThinkingTrait {
  if (name.includes('pro')) return { kind: 'budget', tokensMin: 128, tokensMax: 32_768, canBeOff: false };
  const tokensMin = name.includes('lite') ? 512 : 1;
  return { kind: 'budget', tokensMin, tokensMax: 24_576, canBeOff: true };
}

function readLevels(name: string, version: number): ThinkingTrait {
  if (!name.includes('pro')) return { kind: 'level', levels: ['minimal', 'low', 'medium', 'high'] };
  return { kind: 'level', levels: version > 300 ? ['low', 'medium', 'high'] : ['low', 'high'] };
}
