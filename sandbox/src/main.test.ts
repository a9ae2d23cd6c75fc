import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';

const program = fileURLToPath(new URL('./main.ts', import.meta.url));
const children: ChildProcess[] = [];

function startProgram(stdio: ('ignore' | 'pipe' | 'ipc')[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const child = spawn(process.execPath, [program], { stdio, env: { ...process.env, ...env } });
  children.push(child);
  return child;
}

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

async function readOrigin(child: ChildProcess): Promise<string> {
  let line = '';
  for await (const chunk of child.stdout ?? []) {
    line += chunk;
    if (line.endsWith('\n')) break;
  }
  return JSON.parse(line).origin;
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  'main.ts prints its origin, serves requests, and exits with 0 on %s',
  async (signal) => {
    const child = startProgram(['ignore', 'pipe', 'ignore']);
    const origin = await readOrigin(child);
    expect(origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await (await fetch(`${origin}/sandbox/journal`)).json()).toEqual([]);
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([0, null]);
  },
);

test('main.ts sends its origin over an IPC channel and exits when the channel closes', async () => {
  const child = startProgram(['ignore', 'ignore', 'ignore', 'ipc']);
  const [message] = await once(child, 'message');
  const response = await fetch(`${message.origin}/v1/models`, {
    headers: { authorization: 'Bearer sk-test' },
  });
  expect(response.status).toBe(200);
  child.disconnect();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('main.ts reads host and port from the environment and fails to start with an invalid port', async () => {
  const child = startProgram(['ignore', 'pipe', 'ignore'], { SANDBOX_HOST: '::1', SANDBOX_PORT: '0' });
  expect(await readOrigin(child)).toMatch(/^http:\/\/\[::1\]:\d+$/);
  const failing = startProgram(['ignore', 'ignore', 'ignore'], { SANDBOX_PORT: 'none' });
  expect(await once(failing, 'exit')).toEqual([1, null]);
});
