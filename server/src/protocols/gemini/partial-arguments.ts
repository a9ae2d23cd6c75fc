import { isLongNumber } from '#json/exact-json.ts';
import { isObject } from '#json/json-value.ts';

/** Collects arguments that arrive in pieces, each for a path in the arguments object. */
export interface PartialArguments {
  add(piece: unknown): void;
  toJson(): string;
}

type Container = Map<string, Value> | Value[];
/** Value of an argument. Containers, and numbers with more digits than a double can represent, are objects. */
type Value = string | number | boolean | null | object;

interface Piece {
  readonly jsonPath?: unknown;
  readonly stringValue?: unknown;
  readonly numberValue?: unknown;
  readonly boolValue?: unknown;
  readonly nullValue?: unknown;
}

/** Maps are used instead of objects, so that names such as `__proto__` have no special meaning. */
export function createPartialArguments(whole: unknown): PartialArguments {
  const root: Container = new Map();
  if (isObject(whole)) for (const [name, value] of Object.entries(whole)) root.set(name, toValue(value));
  return {
    add(piece) {
      if (!isObject(piece)) return;
      const value = readValue(piece);
      const path = readPath(piece);
      if (value !== undefined && path !== null) place(root, path, value);
    },
    toJson: () => JSON.stringify(toPlain(root)),
  };
}

function toValue(value: unknown): Value {
  if (Array.isArray(value)) return value.map(toValue);
  if (isLongNumber(value)) return value;
  if (isObject(value)) return new Map(Object.entries(value).map(([name, inner]) => [name, toValue(inner)]));
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

function readValue({ stringValue, numberValue, boolValue, nullValue }: Piece): Value | undefined {
  if (typeof stringValue === 'string') return stringValue;
  if (typeof numberValue === 'number' || isLongNumber(numberValue)) return numberValue;
  if (typeof boolValue === 'boolean') return boolValue;
  return nullValue === undefined ? undefined : null;
}

/** Parses a path such as `$.days[0]['a b']` into its steps; returns `null` for unsupported paths. */
function readPath({ jsonPath }: Piece): (string | number)[] | null {
  if (typeof jsonPath !== 'string' || !jsonPath.startsWith('$')) return null;
  const step = /\.([^.[\]]+)|\[(\d{1,6})\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y;
  const steps: (string | number)[] = [];
  step.lastIndex = 1;
  while (step.lastIndex < jsonPath.length) {
    const [, name, index, single, double] = step.exec(jsonPath) ?? [];
    const quoted = single ?? double;
    if (name !== undefined) steps.push(name);
    else if (index !== undefined) steps.push(Number(index));
    else if (quoted !== undefined) steps.push(quoted.replaceAll(/\\(.)/g, '$1'));
    else return null;
  }
  return steps.length === 0 ? null : steps;
}

function place(root: Container, path: readonly (string | number)[], value: Value): void {
  let container = root;
  for (const [depth, step] of path.entries()) {
    const next = path[depth + 1];
    const before = read(container, step);
    if (next === undefined) {
      const isContinued = typeof before === 'string' && typeof value === 'string';
      write(container, step, isContinued ? before + value : value);
      return;
    }
    if (isContainer(before)) container = before;
    else {
      const inner: Container = typeof next === 'number' ? [] : new Map();
      if (!write(container, step, inner)) return;
      container = inner;
    }
  }
}

function isContainer(value: Value | undefined): value is Container {
  return value instanceof Map || Array.isArray(value);
}

function read(container: Container, step: string | number): Value | undefined {
  return Array.isArray(container) ? container[Number(step)] : container.get(String(step));
}

// Lists grow by one entry at a time, because a large index would allocate a list of that length.
function write(container: Container, step: string | number, value: Value): boolean {
  if (!Array.isArray(container)) {
    container.set(String(step), value);
    return true;
  }
  const index = Number(step);
  if (!(index <= container.length)) return false;
  container[index] = value;
  return true;
}

function toPlain(value: Value): unknown {
  if (Array.isArray(value)) return value.map(toPlain);
  if (!(value instanceof Map)) return value;
  return Object.fromEntries([...value].map(([name, inner]) => [name, toPlain(inner)]));
}
