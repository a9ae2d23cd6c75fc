/** Headers that decide who asks, for whom, or how the body is read: a proxy might act on one of two, and we on the other. */
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

/** What is wrong with a request that says something twice that it may say once, or `null`. Equal values do not help. */
export function findRepeatedHeader(rawHeaders: readonly string[]): string | null {
  const repeated = findRepeated(rawHeaders, onceOnly);
  return repeated === null ? null : `The header ${repeated} came more than once; send it once.`;
}

/** The first of these lower-case names that comes twice, of a list of names and values in turn. */
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
