/** Headers for authentication, tenant or body format: a proxy might use one of two values and the gateway the other. */
const onceOnly = new Set([
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
 * Returns the error for a request that repeats something that must be unique, or `null`. Equal values are rejected too.
 */
export function findRepeatedHeader(rawHeaders: readonly string[]): string | null {
  const repeated = findRepeated(rawHeaders, onceOnly);
  return repeated === null ? null : `The header ${repeated} was sent more than once. Send it once.`;
}

/** Returns the first of these lower-case names that occurs twice in a list of alternating names and values. */
export function findRepeated(rawHeaders: readonly string[], names: ReadonlySet<string>): string | null {
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? '';
    if (!names.has(name)) continue;
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return null;
}
