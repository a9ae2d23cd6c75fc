import { z } from 'zod';

/** Returns `null` for anything but an object. */
export function parseObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Schema of an object with arbitrary field names. `z.record` drops `__proto__`, which is an ordinary name in JSON. */
export const anyObject = z.custom<Record<string, unknown>>(isObject, 'Invalid input: expected object');

export function readText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
