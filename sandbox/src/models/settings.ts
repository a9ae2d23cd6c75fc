/** Settings after the colon of a model's name, for example `sandbox-normal:tokens=50,interval_ms=5`. */
export interface Settings {
  /** Length of a generated text. */
  tokens: number;
  /** Pause between two tokens. */
  interval_ms: number;
  /** Pause before the first byte of the response. */
  first_byte_ms: number;
  /** Tokens sent before a faulty model fails. */
  fault_after: number;
  /** Billed per choice before anything visible. */
  reasoning_tokens: number;
  /** Prompt tokens that are reported as read from a cache. */
  cached_tokens: number;
  /** Prompt tokens that are reported as written to a cache, if the protocol supports it. */
  cache_write_tokens: number;
  /** Number of tools called by a model that calls tools. */
  calls: number;
  /** Tokens of text before such calls. */
  preface_tokens: number;
  /** Length of an embedding, unless the client requests another. */
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

/** Parses `key=value,key=value`; returns a string with the problem if they are invalid. */
export function parseSettings(text: string): Partial<Settings> | string {
  const settings: Partial<Settings> = {};
  for (const assignment of text.split(',')) {
    const [, name = '', digits = ''] = /^(\w+)=(\d+)$/.exec(assignment) ?? [];
    if (!isSettingName(name)) return `'${assignment}' is not a setting of a sandbox model`;
    if (name in settings) return `'${name}' is set twice`;
    if (Number(digits) > maximum[name]) return `'${name}' is at most ${maximum[name]}`;
    settings[name] = Number(digits);
  }
  return settings;
}

function isSettingName(name: string): name is keyof Settings {
  return Object.hasOwn(defaults, name);
}
