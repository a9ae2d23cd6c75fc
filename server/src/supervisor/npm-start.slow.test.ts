import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { asProcess1, createSluice, launchers, type SluiceProcess } from '#test/processes/sluice-process.ts';

const env = { SLUICE_WORKERS: '1', LOG_LEVEL: 'info' };

async function readStream(answer: Response, onFirst: () => void): Promise<string> {
  let text = '';
  try {
    for await (const chunk of answer.body ?? []) {
      if (text === '') onFirst();
      text += Buffer.from(chunk).toString();
    }
  } catch (error) {
    text += String(error);
  }
  return text.slice(-20);
}

const openStream = ({ origin, apiKey }: SluiceProcess) =>
  fetch(`${origin}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'sandbox-slow',
      stream: true,
      messages: [{ role: 'user', content: 'Hi' }],
    }),
  });

/** A zombie process that waits for its parent is not running. */
function isRunning(pid: number): boolean {
  if (process.platform !== 'linux') return spawnSync('kill', ['-0', String(pid)]).status === 0;
  try {
    return !/\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

async function stopAmidStream(sluice: SluiceProcess, stop: () => void) {
  await sluice.start();
  const pids = sluice.pids('everything');
  const end = await readStream(await openStream(sluice), stop);
  const exitCode = await sluice.exited;
  await expect.poll(() => pids.filter(isRunning)).toEqual([]);
  return { end, exitCode };
}

const whole = expect.stringMatching(/data: \[DONE\]\s*$/);

describe('npm start during a stream', () => {
  let sluice: SluiceProcess;
  beforeAll(async () => {
    sluice = await createSluice(env, launchers.npm);
  });
  afterAll(() => sluice.remove());

  it.each([
    ['SIGTERM to npm alone', 'SIGTERM', 'launched'],
    ['SIGTERM to the whole group', 'SIGTERM', 'group'],
    ['SIGINT to the whole group, as Ctrl-C does', 'SIGINT', 'group'],
  ] as const)(
    '%s: npm start completes the stream, exits with 0 and leaves no process',
    async (_, signal, to) => {
      expect(await stopAmidStream(sluice, () => sluice.signal(signal, to))).toEqual({
        end: whole,
        exitCode: 0,
      });
    },
  );

  it.each([
    ['a terminal that closes', 'SIGHUP', 'group'],
    ['npm killed alone', 'SIGKILL', 'launched'],
  ] as const)('%s: the stream of npm start completes, and no process is left', async (_, signal, to) => {
    const { end } = await stopAmidStream(sluice, () => {
      sluice.signal(signal, to);
      sluice.dropOutput();
    });
    expect(end).toEqual(whole);
  });
});

it('SIGTERM completes the stream and npm exits with 0 when npm start is process 1', async (context: TestContext) => {
  const [command, ...args] = asProcess1;
  const probe = spawnSync(command, [...args, 'true'], { encoding: 'utf8' });
  const reason = probe.error?.message ?? probe.stderr.trim();
  if (probe.status !== 0)
    return context.skip(
      `this system does not allow a new PID namespace, which process 1 requires: ${reason}`,
    );
  const sluice = await createSluice(env, launchers.npmAsProcess1);
  expect(await stopAmidStream(sluice, () => sluice.signal('SIGTERM', 'launched'))).toEqual({
    end: whole,
    exitCode: 0,
  });
  await sluice.remove();
});
