import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import type { ReadStream } from 'node:tty';

/** The first line of what is piped in; at a terminal, where it would be seen, one that is made here. */
export async function readNewPassword(input: ReadStream): Promise<{ password: string; isMade: boolean }> {
  if (input.isTTY) return { password: randomBytes(15).toString('base64url'), isMade: true };
  for await (const line of createInterface({ input })) return { password: line, isMade: false };
  throw new Error('There is no password on standard input.');
}
