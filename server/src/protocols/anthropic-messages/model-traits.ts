import type { ModelFacts } from '../canonical/request.ts';

/** Features and limits of a model. Anthropic's API differs by model, not by endpoint. */
export interface ModelTraits {
  /**
   * Whether the model supports `output_config.format` and strict tools. Older models are forced to call a tool
   * instead.
   */
  readonly hasOutputFormat: boolean;
  /** Whether thinking is controlled by a token budget, or adaptive and controlled by an effort. */
  readonly thinking: 'none' | 'budget' | 'adaptive';
  /** Effort that corresponds to OpenAI's `xhigh`. */
  readonly topEffort: 'xhigh' | 'max';
  /** How to turn thinking off; `impossible` if the model always thinks. */
  readonly thinkingOff: 'omit' | 'disable' | 'impossible';
  /** Whether the model accepts `temperature`, `top_p`, and `top_k`. */
  readonly hasSampling: boolean;
  readonly hasTemperatureWithTopP: boolean;
  /**
   * Whether thinking in earlier turns must be signed. Other models send unsigned thinking and expect it back
   * unsigned.
   */
  readonly checksSignatures: boolean;
  readonly hasSystemTurns: boolean;
}

/**
 * Traits assumed for models of other vendors that use this API: those of Claude 3.7, but with unsigned thinking that
 * must be disabled explicitly.
 */
const lookalike: ModelTraits = {
  hasOutputFormat: false,
  thinking: 'budget',
  topEffort: 'max',
  thinkingOff: 'disable',
  hasSampling: true,
  hasTemperatureWithTopP: true,
  checksSignatures: false,
  hasSystemTurns: false,
};

/** Returns the traits of a model, from the model data if listed there, otherwise from the model's generation. */
export function readModelTraits(model: string, facts: ModelFacts = {}): ModelTraits {
  const generation = readGeneration(model);
  return { ...generation, ...readFacts(facts, generation) };
}

function readFacts(facts: ModelFacts, { thinking }: ModelTraits): Partial<ModelTraits> {
  const { adaptiveThinking, alwaysThinks, efforts, reasonsByDefault, reasoning } = facts;
  return {
    ...(facts.structuredOutput !== undefined && { hasOutputFormat: facts.structuredOutput }),
    ...(reasoning === true && thinking === 'none' && { thinking: 'budget' as const }),
    ...(adaptiveThinking && { thinking: 'adaptive' as const }),
    ...(reasoning === false && { thinking: 'none' as const }),
    ...(reasonsByDefault && { thinkingOff: 'disable' as const }),
    ...(alwaysThinks && { thinkingOff: 'impossible' as const }),
    ...(efforts && { topEffort: efforts.includes('xhigh') ? 'xhigh' : 'max' }),
    ...(facts.sampling !== undefined && { hasSampling: facts.sampling }),
    ...(facts.systemTurns !== undefined && { hasSystemTurns: facts.systemTurns }),
  };
}

/**
 * Returns the traits of a generation, for models that are missing from the data, such as `claude-3-7-sonnet-latest`.
 * A name without a version refers to the newest model.
 */
function readGeneration(model: string): ModelTraits {
  const name = model.toLowerCase();
  if (!name.includes('claude')) return lookalike;
  const [, family = '', major = '99', minor = '0'] =
    /claude-(?:([a-z]+)-)?(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/.exec(name) ?? [];
  const version = Number(major) * 100 + Number(minor);
  return {
    hasOutputFormat: version >= 405,
    thinking: version >= 406 ? 'adaptive' : version >= 307 ? 'budget' : 'none',
    topEffort: version >= 407 ? 'xhigh' : 'max',
    thinkingOff: version < 500 ? 'omit' : isAlwaysThinking(version, family) ? 'impossible' : 'disable',
    hasSampling: version < 407,
    hasTemperatureWithTopP: version < 401,
    checksSignatures: true,
    hasSystemTurns: version >= 408,
  };
}

function isAlwaysThinking(version: number, family: string): boolean {
  return version > 500 || (family !== 'opus' && family !== 'sonnet');
}
