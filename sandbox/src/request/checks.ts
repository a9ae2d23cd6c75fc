import { invalidRequest } from './problem.ts';

/** Check that throws `RequestRefused` unless the value at the path is valid. */
export type Check = (value: unknown, path: string) => void;

export const anyString: Check = (value, path) => {
  if (typeof value !== 'string') throw wrongType(value, path, 'a string');
};

export const anyBoolean: Check = (value, path) => {
  if (typeof value !== 'boolean') throw wrongType(value, path, 'a boolean');
};

export const anyNumber: Check = (value, path) => {
  if (typeof value !== 'number') throw wrongType(value, path, 'a number');
};

export const anyObject: Check = (value, path) => {
  if (!isObject(value)) throw wrongType(value, path, 'an object');
};

export function numberWithin(minimum: number, maximum: number): Check {
  return (value, path) => {
    if (typeof value !== 'number') throw wrongType(value, path, 'a decimal');
    checkRange(value, path, minimum, maximum, 'decimal');
  };
}

export function integerWithin(minimum: number, maximum: number = Number.MAX_SAFE_INTEGER): Check {
  return (value, path) => {
    if (!Number.isInteger(value)) throw wrongType(value, path, 'an integer');
    checkRange(Number(value), path, minimum, maximum, 'integer');
  };
}

export function oneOf(...allowed: string[]): Check {
  return (value, path) => {
    anyString(value, path);
    if (allowed.some((one) => one === value)) return;
    throw invalidRequest('invalid_value', path, `expected one of ${allowed.join(', ')}`);
  };
}

export function optional(check: Check): Check {
  return (value, path) => {
    if (value !== undefined) check(value, path);
  };
}

export function all(...checks: Check[]): Check {
  return (value, path) => {
    for (const check of checks) check(value, path);
  };
}

export function nullable(check: Check): Check {
  return (value, path) => {
    if (value !== null) check(value, path);
  };
}

export function stringOr(check: Check, checkString: Check = anyString): Check {
  return (value, path) => (typeof value === 'string' ? checkString : check)(value, path);
}

export function arrayOf(check: Check, minimum = 0, maximum = Infinity): Check {
  return (value, path) => {
    if (!Array.isArray(value)) throw wrongType(value, path, 'an array');
    checkRange(value.length, path, minimum, maximum, 'array');
    for (const [index, item] of value.entries()) check(item, `${path}[${index}]`);
  };
}

export function mapOf(check: Check, maximum = Infinity): Check {
  return (value, path) => {
    if (!isObject(value)) throw wrongType(value, path, 'an object');
    const entries = Object.entries(value);
    checkRange(entries.length, path, 0, maximum, 'object');
    for (const [key, item] of entries) check(item, `${path}.${key}`);
  };
}

/** Ignores unknown fields. */
export function fields(checks: Record<string, Check>): Check {
  const known = Object.entries(checks);
  return (value, path) => {
    if (!isObject(value)) throw wrongType(value, path, 'an object');
    for (const [name, check] of known) check(value[name], `${path}.${name}`);
  };
}

/** Rejects unknown fields. */
export function exactly(checks: Record<string, Check>): Check {
  const hasFields = fields(checks);
  return (value, path) => {
    hasFields(value, path);
    for (const name of isObject(value) ? Object.keys(value) : []) {
      if (!Object.hasOwn(checks, name)) throw unknown(`${path}.${name}`);
    }
  };
}

/** `rule` describes the pattern in errors. */
export function matching(pattern: RegExp, rule: string): Check {
  return (value, path) => {
    anyString(value, path);
    if (!pattern.test(String(value))) throw invalidRequest('invalid_value', path, rule);
  };
}

/** Accepts an object whose field `tag` selects the check to apply. */
export function taggedBy(tag: string, checks: Record<string, Check>): Check {
  const hasKnownTag = fields({ [tag]: oneOf(...Object.keys(checks)) });
  return (value, path) => {
    hasKnownTag(value, path);
    if (isObject(value)) checks[String(value[tag])]?.(value, path);
  };
}

/** Rejects unknown parameters. */
export function checkParameters(body: Record<string, unknown>, known: Record<string, Check>): void {
  for (const [name, value] of Object.entries(body)) {
    const check = Object.hasOwn(known, name) ? known[name] : undefined;
    if (!check) throw unknown(name);
    check(value, name);
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectsIn(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function checkRange(value: number, path: string, minimum: number, maximum: number, kind: string): void {
  if (value >= minimum && value <= maximum) return;
  const measure = kind === 'array' || kind === 'object' ? 'length' : 'value';
  const [code, rule] =
    value < minimum
      ? [`${kind}_below_min_${measure}`, `at least ${minimum} required`]
      : [`${kind}_above_max_${measure}`, `at most ${maximum} allowed`];
  throw invalidRequest(code, path, `${rule}, but the ${measure} is ${value}`);
}

function wrongType(value: unknown, path: string, wanted: string) {
  if (value === undefined) return missing(path);
  const given = value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;
  return invalidRequest('invalid_type', path, `expected ${wanted}, got ${given}`);
}

export function missing(path: string) {
  return invalidRequest('missing_required_parameter', path, 'this field is required');
}

export function unknown(path: string) {
  return invalidRequest('unknown_parameter', path, 'unknown parameter');
}

// Placed after the last message, so that calls in the last message without a result are reported too.
const end: Record<string, unknown> = {};

/** Throws `RequestRefused` unless results directly follow their calls, and each call has a result. */
export function checkToolResults(messages: unknown): void {
  let open = new Set<unknown>();
  for (const [index, message] of [...objectsIn(messages), end].entries()) {
    if (message.role === 'tool') {
      if (open.delete(message.tool_call_id)) continue;
      const rule = "a message with role 'tool' must be a response to a preceding message with 'tool_calls'";
      throw invalidRequest(null, `messages[${index}].role`, rule);
    }
    if (open.size > 0) {
      const missing = [...open].join(', ');
      const rule = "'tool_calls' must be followed by a tool message for each of them";
      throw invalidRequest(null, 'messages', `${rule}; missing: ${missing}`);
    }
    open = new Set(objectsIn(message.tool_calls).map(({ id }) => id));
  }
}
