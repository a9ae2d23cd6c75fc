import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import {
  type CommandCall,
  type CommandInput,
  type CommandOption,
  textOption,
  UsageError,
} from './command.ts';

/**
 * Options of commands that require a provider key. The key is not an argument, since every process can read command
 * lines.
 */
export const apiKeyOptions: Readonly<Record<string, CommandOption>> = {
  'api-key-env': { value: 'NAME', summary: 'reads the key from this environment variable' },
  'api-key-file': { value: 'PATH', summary: 'reads the key from this file' },
  'no-key': { summary: 'for a vendor that needs no key' },
};

/**
 * Returns the provider key from a variable, a file, or the first line of standard input. Returns `undefined` with
 * --no-key.
 */
export async function readProviderKey(call: CommandCall): Promise<string | undefined> {
  const [variable, path] = [textOption(call, 'api-key-env'), textOption(call, 'api-key-file')];
  const given = [variable, path, call.options['no-key']].filter((one) => one !== undefined);
  if (given.length > 1) throw new UsageError('Use only one of --api-key-env, --api-key-file and --no-key.');
  if (call.options['no-key'] === true) return undefined;
  const key = variable
    ? call.env[variable]
    : path
      ? readFileSync(path, 'utf8')
      : await readFirstLine(call.input);
  if (key?.trim()) return key.trim();
  const source = variable ? `the variable ${variable}` : path ? path : 'standard input';
  throw new Error(`No key was found in ${source}. For a vendor that needs no key, use --no-key.`);
}

async function readFirstLine(input: CommandInput): Promise<string | undefined> {
  if (input.isTTY)
    throw new UsageError('Provide the key with --api-key-env, --api-key-file or standard input.');
  for await (const line of createInterface({ input })) return line;
  return undefined;
}

/** Returns the first line of piped input. Returns a generated password at a terminal, where input would be visible. */
export async function readNewPassword(input: CommandInput): Promise<{ password: string; isMade: boolean }> {
  if (input.isTTY) return { password: randomBytes(15).toString('base64url'), isMade: true };
  for await (const line of createInterface({ input })) return { password: line, isMade: false };
  throw new Error('No password was found on standard input.');
}
