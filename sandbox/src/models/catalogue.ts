import { defaults, parseSettings, type Settings } from './settings.ts';

/** Errors that a model answers with instead of generating; each vendor words them in its own shape. */
export type ErrorKind = 'rate_limited' | 'internal_error' | 'overloaded' | 'key_refused';

/** How a model spoils an answer that it had begun. */
export type Fault = 'stall' | 'reset' | 'garbage' | 'truncate' | 'error';

/** Where the text of an answer comes from. */
export type Source = 'sentences' | 'echo' | 'inspect' | 'tool' | 'refusal' | 'blocked';

export interface Model {
  /** as the client named it, settings included */
  name: string;
  settings: Settings;
  source: Source;
  fault: Fault | null;
  error: ErrorKind | null;
  hidesUsage: boolean;
  /** takes its output cap only as max_completion_tokens, like OpenAI's reasoning models */
  isReasoning: boolean;
  /** whether it answers with words */
  generates: boolean;
  /** whether it answers with vectors, as every model does whose point is how it fails */
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
  ['sandbox-tool', { source: 'tool' }],
  ['sandbox-tools', { source: 'tool', settings: { calls: 2, preface_tokens: 8 } }],
  ['sandbox-refusal', { source: 'refusal' }],
  ['sandbox-blocked', { source: 'blocked' }],
  ['sandbox-stream-error', { fault: 'error' }],
  ['sandbox-embedding', { generates: false, embeds: true }],
  ['sandbox-reasoning', { isReasoning: true, settings: { reasoning_tokens: 24 } }],
]);

export const modelNames: readonly string[] = [...catalogue.keys()];

/** Finds a model by the name a client gives it: null when there is none, a string when its settings are wrong. */
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
