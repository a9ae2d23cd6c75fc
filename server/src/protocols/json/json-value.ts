import { z } from 'zod';

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

/** An object of any names, whole: zod's own record leaves out `__proto__`, which is a name like others in JSON. */
export const anyObject = z.custom<Record<string, unknown>>(isObject, 'Invalid input: expected object');

export function readText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
