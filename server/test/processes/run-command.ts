import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { runSluice } from '#cli/run-sluice.ts';

const root = join(import.meta.dirname, '../../..');

/** Environment of `npm start` and `npx sluice`. With it, a process needs only a third of the CPU time to start. */
export const fastStart = {
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules/.cache/sluice'),
  NODE_OPTIONS: `--import=${join(root, 'scripts/resolve-once.mjs')}`,
};

const program = join(root, 'server/src/cli/main.ts');

export async function callCommand(args: readonly string[], env: Record<string, string>, input = '') {
  const output = { stdout: '', stderr: '' };
  const collect = (name: keyof typeof output) => ({
    write(text: string | Uint8Array) {
      output[name] += text;
      return true;
    },
  });
  const stdin = Readable.from(input === '' ? [] : [input]);
  const code = await runSluice(args, { env, stdin, stdout: collect('stdout'), stderr: collect('stderr') });
  return { code, ...output };
}

/** Runs `sluice` in a separate process with only these environment variables. */
export async function runCommand(args: readonly string[], env: Record<string, string>, input = '') {
  const running = promisify(execFile)(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH, ...fastStart, ...env },
  });
  running.child.stdin?.end(input);
  return running.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      stdout,
      stderr,
    }),
  );
}

/** Resolves when a running command reports progress. The first line contains the installation. */
export async function untilProgress(stderr: Readable): Promise<void> {
  for await (const line of createInterface({ input: stderr })) if (!line.startsWith('On the ')) return;
  throw new Error('The command ended without progress.');
}
