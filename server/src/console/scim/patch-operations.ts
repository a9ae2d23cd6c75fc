import { invalid } from '#errors/scim-error.ts';
import { type PatchPath, parsePath } from './parse-filter.ts';

export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace';
  readonly path: PatchPath;
  readonly value: unknown;
  /** Whether the client named the path. An unknown attribute is then an error; otherwise it is ignored. */
  readonly isNamed: boolean;
}

interface GivenOperation {
  readonly op: string;
  readonly path?: string | undefined;
  readonly value?: unknown;
}

const operationsMax = 100;
const attributesMax = 500;

/**
 * Returns the changes of a PATCH request. Accepts client variations: `op` can have any case, a value without a path
 * is an object whose keys are paths, and a path can be the URN of the schema.
 * @throws ScimError 400 `invalidSyntax`, `invalidPath` or `noTarget`
 */
export function readOperations(given: readonly GivenOperation[]): PatchOperation[] {
  if (given.length === 0) throw invalid('invalidSyntax', 'Operations must not be empty.');
  if (given.length > operationsMax)
    throw invalid('invalidSyntax', `A request can have at most ${operationsMax} operations.`);
  return given.flatMap(({ op: text, path, value }) => {
    const op = text.toLowerCase();
    if (op !== 'add' && op !== 'remove' && op !== 'replace')
      throw invalid(
        'invalidSyntax',
        `"${text.slice(0, 100)}" is not an operation. Use add, remove or replace.`,
      );
    const target = path === undefined || path.trim() === '' ? null : parsePath(path);
    if (target && (target.attribute !== '' || target.isForeign))
      return [{ op, path: target, value, isNamed: true }];
    if (op === 'remove') throw invalid('noTarget', 'A remove operation needs a path.');
    return readAttributes(value, op);
  });
}

export function readAttributes(
  resource: unknown,
  op: 'add' | 'replace' = 'replace',
  isNested = false,
): PatchOperation[] {
  if (typeof resource !== 'object' || resource === null || Array.isArray(resource))
    throw invalid('invalidSyntax', 'A value without a path must be an object.');
  const entries = Object.entries(resource);
  if (entries.length > attributesMax)
    throw invalid('invalidSyntax', `A resource can have at most ${attributesMax} attributes.`);
  return entries.flatMap(([key, value]) => {
    const path = parseKey(key);
    if (path === null) return [];
    if (path.attribute === '' && !path.isForeign && !isNested) return readAttributes(value, op, true);
    return [{ op, path, value, isNamed: false }];
  });
}

/** Parses a key as a path. Returns `null` for other keys, which are ignored. */
function parseKey(key: string): PatchPath | null {
  try {
    return parsePath(key);
  } catch {
    return null;
  }
}

/** Entra ID sends booleans as strings. */
export function readBoolean(name: string, value: unknown): boolean {
  const single = unwrap(value);
  if (typeof single === 'boolean') return single;
  const text = typeof single === 'string' ? single.toLowerCase() : null;
  if (text === 'true' || text === 'false') return text === 'true';
  throw invalid('invalidValue', `${name} must be true or false.`);
}

/**
 * Returns a string, which may be wrapped in an array or an object; `null` if it is empty or absent.
 * @throws ScimError 400 `invalidValue` for other values
 */
export function readText(name: string, value: unknown): string | null {
  const single = unwrap(value);
  if (single === null || single === undefined || single === '') return null;
  if (typeof single === 'string') return single;
  throw invalid('invalidValue', `${name} must be a string.`);
}

function unwrap(value: unknown): unknown {
  const single = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return typeof single === 'object' && single !== null && 'value' in single ? single.value : single;
}
