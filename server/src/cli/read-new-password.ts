import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import type { ReadStream } from 'node:tty';

/** Returns the first line of piped input; at a terminal, where input would be visible, a generated password. */
export async function readNewPassword(input: ReadStream): Promise<{ password: string; isMade: boolean }> {
  if (input.isTTY) return { password: randomBytes(15).toString('base64url'), isMade: true };
  for await (const line of createInterface({ input })) return { password: line, isMade: false };
  throw new Error('There is no password on standard input.');
}
