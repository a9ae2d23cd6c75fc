import { loggedBodyBytesMax } from '@sluice/contract';

/** Maximum size of each text in a row, in bytes. Length and hash refer to the whole text. */
export const loggedTextBytes = loggedBodyBytesMax;

/**
 * Returns a text as stored in a row: truncated to 64 KB at a character boundary, without characters that PostgreSQL
 * cannot store (NUL, lone surrogates).
 */
export function truncateForLog(text: string): string {
  return cutToBytes(text.slice(0, loggedTextBytes)).replaceAll('\u0000', '\uFFFD').toWellFormed();
}

function cutToBytes(text: string): string {
  if (Buffer.byteLength(text) <= loggedTextBytes) return text;
  const bytes = Buffer.from(text);
  let end = loggedTextBytes;
  // A byte 10xxxxxx continues a character, so step back to the character's start.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}
