/** What a model accepts; told from its name, since Google's API differs by version and not by endpoint. */
export interface ModelTraits {
  readonly thinking: ThinkingTrait;
  /** Calls of earlier turns must be signed; also, results may hold pictures, and a format may stand beside tools. */
  readonly isThirdGeneration: boolean;
  /** A place of its own for the system's text. */
  readonly hasSystemInstruction: boolean;
}

/** How much a model thinks is said by a budget in tokens, or by a level; `off` is whether it can be told not to. */
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

/** The traits of `gemini-2.5-flash-lite`, `models/gemini-3-pro-preview`, `gemini-flash-latest` and so on. */
export function readModelTraits(model: string): ModelTraits {
  const name = model.toLowerCase();
  const traits = { isThirdGeneration: false, hasSystemInstruction: !/gemma-[123]/.test(name) };
  if (!name.includes('gemini')) return { ...traits, thinking: { kind: 'none' } };
  const [, major, minor = '0'] = /gemini-(\d+)(?:\.(\d+))?(?!\d)/.exec(name) ?? [];
  // A name without a version stands for the newest, whichever that is: all that think take a budget.
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
