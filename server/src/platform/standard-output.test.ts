import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const script = `
  import { setTimeout } from 'node:timers/promises';
  import { createLogger } from ${JSON.stringify(join(import.meta.dirname, 'logger.ts'))};
  const log = createLogger('info');
  for (const word of ['one', 'two', 'three']) {
    log.info(word);
    await setTimeout(20);
  }
  for (let line = 0; line < 100; line++) log.info('at the end');
  process.exit(0);
`;

/** A process that logs to `file`, also in the moment of its end. */
function logTo(file: string) {
  const output = openSync(file, 'w');
  try {
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: import.meta.dirname,
      stdio: ['ignore', output, 'pipe'],
      encoding: 'utf8',
      timeout: 10_000,
      killSignal: 'SIGKILL',
    });
    return { status, stderr };
  } finally {
    closeSync(output);
  }
}

test('every line is written, in its order, also those of the moment in which the process ends', () => {
  const folder = mkdtempSync(join(tmpdir(), 'standard-output-'));
  const file = join(folder, 'log');
  expect(logTo(file)).toEqual({ status: 0, stderr: '' });
  const words = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).msg);
  expect(words).toEqual(['one', 'two', 'three', ...Array(100).fill('at the end')]);
  rmSync(folder, { recursive: true });
});

test.skipIf(process.platform !== 'linux')(
  'output that takes nothing, as of a full disk or a closed terminal, neither ends nor holds up the process',
  () => {
    expect(logTo('/dev/full')).toEqual({ status: 0, stderr: '' });
  },
);
