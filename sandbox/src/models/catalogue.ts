import { defaults, parseSettings, type Settings } from './settings.ts';

/** Errors that a model returns instead of a response, in each vendor's format. */
export type ErrorKind = 'rate_limited' | 'internal_error' | 'overloaded' | 'key_refused';

/** How a model breaks a response in progress. */
export type Fault = 'stall' | 'reset' | 'garbage' | 'truncate' | 'error';

/** Source of the text of a response. */
export type Source = 'sentences' | 'echo' | 'inspect' | 'tool' | 'refusal' | 'blocked';

export interface Model {
  /** Name as given by the client, including settings. */
  name: string;
  settings: Settings;
  source: Source;
  fault: Fault | null;
  error: ErrorKind | null;
  hidesUsage: boolean;
  /** Accepts its output limit only as max_completion_tokens, like OpenAI's reasoning models. */
  isReasoning: boolean;
  /** Whether it generates text. */
  generates: boolean;
  /** Whether it returns vectors, as every failing model does. */
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

/** Finds a model by the name in a request; returns null if there is none, and a string if its settings are invalid. */
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
