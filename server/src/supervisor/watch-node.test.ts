import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UnreadyReason } from '@sluice/contract';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLogger } from '#platform/logger.ts';
import { watchNode } from './watch-node.ts';

const downWithinMs = 2_000;
const upWithinMs = 5_000;

let journalDir: string;
let isListening: boolean;
let lagMs: number;
let reasons: (UnreadyReason | null)[];
let lines: { level: string; reason?: string }[];
let stop: () => Promise<void>;
beforeEach(() => {
  journalDir = mkdtempSync(join(tmpdir(), 'watch-node-'));
  isListening = true;
  lagMs = 0;
  reasons = [];
  lines = [];
});
afterEach(async () => {
  await stop();
  rmSync(journalDir, { recursive: true, force: true });
});

const run = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: 'ignore' });

function watch() {
  stop = watchNode({
    journalDir,
    isListening: () => isListening,
    shippedAtMs: () => performance.now() - lagMs,
    onChange: (reason) => reasons.push(reason),
    log: createLogger('info', { write: (line) => lines.push(JSON.parse(line)) }),
  });
}

test.each<[name: UnreadyReason, fail: () => void, cure: () => void]>([
  [
    'data_folder_full',
    () => symlinkSync('/dev/full', join(journalDir, '.write-probe')),
    () => rmSync(join(journalDir, '.write-probe')),
  ],
  [
    'not_listening',
    () => {
      isListening = false;
    },
    () => {
      isListening = true;
    },
  ],
  [
    'journal_unshipped',
    () => {
      lagMs = 31_000;
    },
    () => {
      lagMs = 0;
    },
  ],
])('watchNode reports %s within 2 s, and the recovery within 5 s', async (reason, fail, cure) => {
  fail();
  watch();
  await expect.poll(() => reasons, { timeout: downWithinMs }).toEqual([reason]);
  cure();
  await expect.poll(() => reasons, { timeout: upWithinMs }).toEqual([reason, null]);
  expect(lines.map((line) => line.reason)).toEqual([reason, reason]);
});

test('watchNode reports a small disk that fills up before a journal has no room left', async ({ skip }) => {
  try {
    run('mount', '-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', journalDir);
  } catch {
    skip('this user may not mount a small file system');
  }
  try {
    watch();
    const filler = join(journalDir, 'filler');
    writeFileSync(filler, Buffer.alloc(20 * 2 ** 20));
    await expect.poll(() => reasons, { timeout: downWithinMs }).toEqual(['data_folder_full']);
    rmSync(filler);
    await expect.poll(() => reasons, { timeout: upWithinMs }).toEqual(['data_folder_full', null]);
  } finally {
    await stop();
    run('umount', journalDir);
  }
});
