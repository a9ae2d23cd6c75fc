/** Position in the write-ahead log as 16 hexadecimal digits, so that positions can be compared as text. */
export type WalPosition = string;

/** Position that no server ever reaches. */
export const unreachablePosition: WalPosition = 'f'.repeat(16);

/** Converts PostgreSQL's notation, such as `16/B374D848`. */
export function fromLsn(lsn: string): WalPosition {
  return lsn
    .split('/')
    .map((part) => part.padStart(8, '0'))
    .join('')
    .toLowerCase();
}

export const toLsn = (position: WalPosition): string => `${position.slice(0, 8)}/${position.slice(8)}`;

/** Parses a position sent by a client. Any invalid value is treated as unreachable, so that the primary is read. */
export function readPosition(text: string | null): WalPosition | null {
  if (text === null) return null;
  return /^[\da-f]{16}$/.test(text) ? text : unreachablePosition;
}
