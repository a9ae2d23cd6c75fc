import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programFile } from '#test/processes/sluice-process.ts';

/** Wall clock for a node's processes only. The clock can be moved while they run. */
export interface ShiftedClock {
  readonly env: Record<string, string>;
  /** Launch command of the node, which also sets the clock of the node's workers. */
  readonly launcher: readonly [string, ...string[]];
  shift(seconds: number): void;
  remove(): void;
}

/**
 * Returns the path of the libfaketime library; `null` if it is not installed. `SLUICE_TEST_FAKETIME` overrides the
 * path.
 */
export function findFaketime(): string | null {
  const library = process.env.SLUICE_TEST_FAKETIME ?? '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';
  return existsSync(library) ? library : null;
}

export function createShiftedClock(library: string): ShiftedClock {
  const dir = mkdtempSync(join(tmpdir(), 'clock-'));
  const path = join(dir, 'offset');
  const shift = (seconds: number) => {
    // The file is replaced atomically, so that readers never see a partial file.
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
