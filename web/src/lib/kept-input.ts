import { useState } from 'react';

type Text = Readonly<Record<string, string>>;

/** Stored email address of a signup. Prefills the sign-in form. */
export const signInInput: [name: string, empty: { email: string }] = ['sign-in', { email: '' }];

/**
 * Stores the input of a form in this browser tab, so that it survives a reload. Not for secrets. Returns the stored
 * input, a function that replaces the input, and a function that deletes it.
 */
export function useKeptInput<Input extends Text>(
  name: string,
  empty: Input,
): [kept: Input, keep: (input: Input) => void, forget: () => void] {
  const key = `sluice-input-${name}`;
  const [kept] = useState(() => readInput(key, empty));
  const keep = (input: Input) => sessionStorage.setItem(key, JSON.stringify(input));
  return [kept, keep, () => sessionStorage.removeItem(key)];
}

/** Reads the stored texts of the fields in `empty`. Missing fields have the text in `empty`. */
function readInput<Input extends Text>(key: string, empty: Input): Input {
  const stored: Record<string, unknown> = { ...parse(sessionStorage.getItem(key)) };
  const fields = Object.entries(empty).map(([field, text]) => {
    const value = stored[field];
    return [field, typeof value === 'string' ? value : text];
  });
  // safe because the fields are the fields of `empty`, and all are strings
  return Object.fromEntries(fields) as Input;
}

function parse(text: string | null): object {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
