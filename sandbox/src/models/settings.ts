/** What a model's name may set after its colon, for example `sandbox-normal:tokens=50,interval_ms=5`. */
export interface Settings {
  /** length of a composed answer */
  tokens: number;
  /** pause between two tokens */
  interval_ms: number;
  /** pause before the first byte of the response */
  first_byte_ms: number;
  /** tokens sent before the fault of a faulty model */
  fault_after: number;
  /** billed per choice before anything visible */
  reasoning_tokens: number;
  /** how many of the prompt's tokens are reported as read from a cache */
  cached_tokens: number;
  /** how many of them are reported as written to a cache, where a protocol can say so */
  cache_write_tokens: number;
  /** how many tools a model calls that calls tools */
  calls: number;
  /** words before such calls */
  preface_tokens: number;
  /** length of an embedding for a client that asks for no other */
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

/** Reads `key=value,key=value`; a string instead of settings says what is wrong with them. */
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
