import { useState } from 'react';

type Text = Readonly<Record<string, string>>;

/** Email address of a signup, which prefills the sign-in form. */
export const signInInput: [name: string, empty: { email: string }] = ['sign-in', { email: '' }];

/** Stores the input of a form in this browser tab, so that it survives a reload. Not for secrets. */
export function useKeptInput<Input extends Text>(
  name: string,
  empty: Input,
): [kept: Input, keep: (input: Input) => void, forget: () => void] {
  const key = `sluice-input-${name}`;
  const [kept] = useState(() => readInput(key, empty));
  const keep = (input: Input) => sessionStorage.setItem(key, JSON.stringify(input));
  return [kept, keep, () => sessionStorage.removeItem(key)];
}

/** Missing fields have the text in `empty`. */
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
