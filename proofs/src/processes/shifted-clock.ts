import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programFile } from '#test/processes/sluice-process.ts';

/** Wall clock of a node's processes only; it can be moved while they run. */
export interface ShiftedClock {
  /** Environment of the node's processes. */
  readonly env: Record<string, string>;
  /** Command that launches the node, so that its workers have this clock too. */
  readonly launcher: readonly [string, ...string[]];
  shift(seconds: number): void;
  remove(): void;
}

/** Returns the libfaketime library; `SLUICE_TEST_FAKETIME` overrides it; `null` if it is not installed. */
export function findFaketime(): string | null {
  const library = process.env.SLUICE_TEST_FAKETIME ?? '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';
  return existsSync(library) ? library : null;
}

export function createShiftedClock(library: string): ShiftedClock {
  const dir = mkdtempSync(join(tmpdir(), 'clock-'));
  const path = join(dir, 'offset');
  const shift = (seconds: number) => {
    // Replaces the file atomically, so that readers never see a part of it.
    writeFileSync(`${path}.new`, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}\n`);
    renameSync(`${path}.new`, path);
  };
  shift(0);
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: path,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    launcher: [
      process.execPath,
      '--import',
      join(import.meta.dirname, 'shift-worker-clocks.ts'),
      programFile,
    ],
    shift,
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}
