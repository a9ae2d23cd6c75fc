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

test('standard output writes every line in order, including those of the process exit', () => {
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
  'standard output that cannot be written, such as a full disk or closed terminal, neither terminates nor blocks the process',
  () => {
    expect(logTo('/dev/full')).toEqual({ status: 0, stderr: '' });
  },
);
