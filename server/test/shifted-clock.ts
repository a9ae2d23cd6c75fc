import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The wall clock of a node's processes, and of nothing else; it can be moved while they run. */
export interface ShiftedClock {
  /** What the node's processes need in their environment. */
  readonly env: Record<string, string>;
  /** How the node is launched, so that its workers have this clock too. */
  readonly launcher: readonly [string, ...string[]];
  shift(seconds: number): void;
  remove(): void;
}

/** `SLUICE_TEST_FAKETIME` names another library; `null` where there is none. */
export function findFaketime(): string | null {
  const library = process.env.SLUICE_TEST_FAKETIME ?? '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';
  return existsSync(library) ? library : null;
}

export function createShiftedClock(library: string): ShiftedClock {
  const dir = mkdtempSync(join(tmpdir(), 'clock-'));
  const path = join(dir, 'offset');
  const shift = (seconds: number) => {
    // A reader never sees half of it.
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
      'server/src/main.ts',
    ],
    shift,
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}
