import { useState } from 'react';

/**
 * Answers a key for what is sent: the same for the same content, so that pressing twice, or again after a lost answer,
 * does it once; another for any other content.
 */
export function useIdempotencyKey(): (content: unknown) => string {
  const [keys] = useState(() => new Map<string, string>());
  return (content) => {
    const text = JSON.stringify(content);
    const key = keys.get(text) ?? makeKey();
    keys.set(text, key);
    return key;
  };
}

/** Unlike `crypto.randomUUID` this works on pages without TLS. */
function makeKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
