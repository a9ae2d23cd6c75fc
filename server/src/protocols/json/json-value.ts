/** What a text of JSON says, `null` for anything that is no object. */
export function parseObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Fields that providers fill differently are looked at before they are used. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function readText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
