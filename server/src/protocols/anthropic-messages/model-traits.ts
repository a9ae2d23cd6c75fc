/** What a model accepts; told from its name, since Anthropic's API differs by version and not by endpoint. */
export interface ModelTraits {
  /** `output_config.format` and strict tools; older models are made to call a tool instead. */
  readonly hasOutputFormat: boolean;
  /** How thinking is asked for: by a budget of tokens, or left to the model and steered by an effort. */
  readonly thinking: 'none' | 'budget' | 'adaptive';
  /** What OpenAI calls `xhigh`. */
  readonly topEffort: 'xhigh' | 'max';
  /** How thinking is kept off; `impossible` where the model thinks whatever one says. */
  readonly thinkingOff: 'omit' | 'disable' | 'impossible';
  /** `temperature`, `top_p`, `top_k`. */
  readonly hasSampling: boolean;
  /** Whether `temperature` and `top_p` may stand together. */
  readonly hasTemperatureWithTopP: boolean;
  /** Whether thinking of earlier turns must be signed; others send it unsigned and want it back so. */
  readonly checksSignatures: boolean;
  /** System messages in the middle of a conversation. */
  readonly hasSystemTurns: boolean;
}

/** Others that speak this protocol keep to what Claude 3.7 took, which is what they have copied. */
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

/** The traits of `claude-sonnet-4-5-20250929`, `claude-3-7-sonnet-latest`, `anthropic.claude-opus-4-8-v1:0` and so on. */
export function readModelTraits(model: string): ModelTraits {
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
