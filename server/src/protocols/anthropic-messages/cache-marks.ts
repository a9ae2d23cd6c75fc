/** Maximum number of cache marks per request. Anthropic rejects more. */
const cacheMarksMax = 4;

/**
 * Removes all but the last cache marks from a request, in the order in which Anthropic reads it: tools, system,
 * messages. Each mark caches everything before it, so the last marks cover the most.
 */
export function limitCacheMarks<Body extends object>(
  body: Body,
): { readonly body: Body; readonly isReduced: boolean } {
  const { tools, system, messages }: { tools?: unknown; system?: unknown; messages?: unknown } = { ...body };
  const parts = { tools, system, messages };
  let excess = countMarks(parts) - cacheMarksMax;
  if (excess <= 0) return { body, isReduced: false };
  const drop = (value: unknown): unknown => {
    if (excess <= 0 || typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(drop);
    const inside = Object.entries(value).filter(([name]) => name !== 'cache_control');
    // A block's own mark comes after the marks of its contents.
    const kept = inside.map(([name, held]) => [name, mayHoldMarks.has(name) ? drop(held) : held]);
    if (!isMarked(value) || excess <= 0) return { ...value, ...Object.fromEntries(kept) };
    excess--;
    return Object.fromEntries(kept);
  };
  const limited = Object.entries(parts).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, drop(value)] as const],
  );
  return { body: { ...body, ...Object.fromEntries(limited) }, isReduced: true };
}

/**
 * Fields that contain blocks. Other fields, such as arguments and schemas, may have field names chosen by the caller.
 */
const mayHoldMarks: ReadonlySet<string> = new Set(['tools', 'system', 'messages', 'content', 'source']);

function isMarked(value: object): boolean {
  return 'cache_control' in value && value.cache_control != null;
}

function countMarks(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) return value.reduce<number>((sum, held) => sum + countMarks(held), 0);
  let marks = isMarked(value) ? 1 : 0;
  for (const name of mayHoldMarks)
    if (Object.hasOwn(value, name)) marks += countMarks(Reflect.get(value, name));
  return marks;
}
