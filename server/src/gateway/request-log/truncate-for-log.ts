import { loggedBodyBytesMax } from '@sluice/contract';

/** How much of each text a row keeps; length and hash are those of the whole. */
export const loggedTextBytes = loggedBodyBytesMax;

/**
 * A text as a row keeps it: cut to 64 KB at a character's edge, without what PostgreSQL cannot hold
 * (NUL, lone surrogates).
 */
export function truncateForLog(text: string): string {
  return cutToBytes(text.slice(0, loggedTextBytes)).replaceAll('\u0000', '\uFFFD').toWellFormed();
}

function cutToBytes(text: string): string {
  if (Buffer.byteLength(text) <= loggedTextBytes) return text;
  const bytes = Buffer.from(text);
  let end = loggedTextBytes;
  // A byte 10xxxxxx continues a character: step back to where one begins.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}
