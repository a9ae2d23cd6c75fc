/**
 * Headers for authentication, the tenant or the body format. If such a header had two values, a proxy might use one
 * and the gateway the other.
 */
const onceOnly = listUniqueHeaders([
  'authorization',
  'x-api-key',
  'api-key',
  'x-goog-api-key',
  'anthropic-version',
  'content-type',
  'content-encoding',
  'idempotency-key',
  'x-sluice-tenant',
  'x-task-id',
]);

/**
 * Returns an error message for a request that repeats a unique header; `null` if there is no repetition. Repeating
 * the same value is also rejected.
 */
export function findRepeatedHeader(rawHeaders: readonly string[]): string | null {
  const repeated = findRepeated(rawHeaders, onceOnly);
  return repeated === null ? null : `The header ${repeated} was sent more than once. Send it once.`;
}

/** Lowercase names of headers that must be unique. Each name is represented by one bit. */
type UniqueHeaders = ReadonlyMap<string, number>;

/** Creates a set of at most 31 lowercase header names. */
export function listUniqueHeaders(names: readonly string[]): UniqueHeaders {
  return new Map(names.map((name, index) => [name, 1 << index]));
}

/** Returns the first unique name that occurs twice in a list of alternating names and values. */
export function findRepeated(rawHeaders: readonly string[], names: UniqueHeaders): string | null {
  let seen = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? '';
    const bit = names.get(name);
    if (bit === undefined) continue;
    if ((seen & bit) !== 0) return name;
    seen |= bit;
  }
  return null;
}
