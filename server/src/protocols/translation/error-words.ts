/** Finds the message of an error body, wherever the provider puts it: top level, `detail`, or one per field. */
export function findErrorWords(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.flatMap((entry) => findErrorWords(entry) ?? []).join('; ') || null;
  if (typeof value !== 'object' || value === null) return null;
  for (const name of ['error', 'message', 'detail', 'msg'] as const) {
    const words = name in value ? findErrorWords(Reflect.get(value, name)) : null;
    if (words) return words;
  }
  return null;
}
