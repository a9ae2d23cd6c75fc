/** Settings after the colon of a model name, for example `sandbox-normal:tokens=50,interval_ms=5`. */
interface Settings {
  tokens: number;
  /** Pause between two tokens in milliseconds. */
  interval_ms: number;
  /** Pause before the first byte of the response in milliseconds. */
  first_byte_ms: number;
  /** Number of tokens sent before a faulty model fails. */
  fault_after: number;
  /** Number of reasoning tokens billed per choice. Reasoning is generated before visible text. */
  reasoning_tokens: number;
  cached_tokens: number;
  /** Number of prompt tokens reported as written to a cache, if the protocol reports them. */
  cache_write_tokens: number;
  calls: number;
  preface_tokens: number;
  /** Default length of an embedding. The client can request another length. */
  dimensions: number;
}

export const defaults: Settings = {
  tokens: 40,
  interval_ms: 0,
  first_byte_ms: 0,
  fault_after: 4,
  reasoning_tokens: 0,
  cached_tokens: 0,
  cache_write_tokens: 0,
  calls: 1,
  preface_tokens: 0,
  dimensions: 256,
};

const maximum: Settings = {
  tokens: 100_000,
  interval_ms: 60_000,
  first_byte_ms: 600_000,
  fault_after: 100_000,
  reasoning_tokens: 100_000,
  cached_tokens: 1_000_000,
  cache_write_tokens: 1_000_000,
  calls: 16,
  preface_tokens: 1_000,
  dimensions: 4_096,
};

/** Returns a string that describes the problem if the settings are invalid. */
function parseSettings(text: string): Partial<Settings> | string {
  const settings: Partial<Settings> = {};
  for (const assignment of text.split(',')) {
    const [, name = '', digits = ''] = /^(\w+)=(\d+)$/.exec(assignment) ?? [];
    if (!isSettingName(name)) return `'${assignment}' is not a setting of a sandbox model`;
    if (name in settings) return `'${name}' is set twice`;
    if (Number(digits) > maximum[name]) return `'${name}' must be at most ${maximum[name]}`;
    settings[name] = Number(digits);
  }
  return settings;
}

function isSettingName(name: string): name is keyof Settings {
  return Object.hasOwn(defaults, name);
}

export type ErrorKind = 'rate_limited' | 'internal_error' | 'overloaded' | 'key_refused';

/** How a model breaks a response in progress. */
export type Fault = 'stall' | 'reset' | 'garbage' | 'truncate' | 'error';

export type Source = 'sentences' | 'echo' | 'inspect' | 'script' | 'tool' | 'refusal' | 'blocked';

export interface Model {
  /** Model name as given by the client, including settings. */
  name: string;
  settings: Settings;
  source: Source;
  fault: Fault | null;
  error: ErrorKind | null;
  hidesUsage: boolean;
  /** Whether the output limit is accepted only as `max_completion_tokens`, as by OpenAI's reasoning models. */
  isReasoning: boolean;
  generates: boolean;
  /** Whether the model returns vectors. `true` for every failing model. */
  embeds: boolean;
}

type Trait = Partial<Omit<Model, 'name' | 'settings'>> & { settings?: Partial<Settings> };

const catalogue = new Map<string, Trait>([
  ['sandbox-normal', {}],
  ['sandbox-slow', { settings: { interval_ms: 50 } }],
  ['sandbox-stall', { fault: 'stall' }],
  ['sandbox-reset', { fault: 'reset' }],
  ['sandbox-rate-limited', { error: 'rate_limited' }],
  ['sandbox-error-500', { error: 'internal_error' }],
  ['sandbox-overloaded', { error: 'overloaded' }],
  ['sandbox-garbage', { fault: 'garbage', settings: { fault_after: 0 } }],
  ['sandbox-huge', { settings: { tokens: 20_000 } }],
  ['sandbox-refuse-key', { error: 'key_refused' }],
  ['sandbox-no-usage', { hidesUsage: true }],
  ['sandbox-truncated', { fault: 'truncate' }],
  ['sandbox-echo', { source: 'echo' }],
  ['sandbox-inspect', { source: 'inspect' }],
  ['sandbox-vision', { source: 'inspect' }],
  ['sandbox-scripted', { source: 'script' }],
  ['sandbox-tool', { source: 'tool' }],
  ['sandbox-tools', { source: 'tool', settings: { calls: 2, preface_tokens: 8 } }],
  ['sandbox-refusal', { source: 'refusal' }],
  ['sandbox-blocked', { source: 'blocked' }],
  ['sandbox-stream-error', { fault: 'error' }],
  ['sandbox-embedding', { generates: false, embeds: true }],
  ['sandbox-reasoning', { isReasoning: true, settings: { reasoning_tokens: 24 } }],
]);

export const modelNames: readonly string[] = [...catalogue.keys()];

/**
 * Finds the model with the name in a request. Returns `null` for an unknown name, and an error message if the
 * settings are invalid.
 */
export function resolveModel(name: string): Model | string | null {
  const colon = name.indexOf(':');
  const trait = catalogue.get(colon < 0 ? name : name.slice(0, colon));
  if (!trait) return null;
  const chosen = colon < 0 ? {} : parseSettings(name.slice(colon + 1));
  if (typeof chosen === 'string') return chosen;
  return {
    source: 'sentences',
    fault: null,
    error: null,
    hidesUsage: false,
    isReasoning: false,
    generates: true,
    embeds: Boolean(trait.fault ?? trait.error),
    ...trait,
    name,
    settings: { ...defaults, ...trait.settings, ...chosen },
  };
}
