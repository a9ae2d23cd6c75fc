import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const root = join(import.meta.dirname, '..');
const startLimitMs = 60_000;
const stopLimitMs = 15_000;

/** The product as its owner starts it, with what its first start printed. */
export interface RunningSluice {
  readonly url: string;
  readonly email: string;
  readonly password: string;
  readonly apiKey: string;
  stop(): Promise<void>;
}

/** Starts the product on a fresh data folder and a free port, and waits until it has told how to use it. */
export async function startSluice(settings: Record<string, string> = {}): Promise<RunningSluice> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'sluice-e2e-'));
  const password = 'e2e-password';
  const child = spawn(join(root, 'node_modules', '.bin', 'node'), ['server/src/main.ts'], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: String(await findFreePort()),
      SLUICE_DATA_DIR: dataFolder,
      SLUICE_ADMIN_PASSWORD: password,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const endWithTests = () => child.kill();
  process.once('exit', endWithTests);
  const stop = async () => {
    process.off('exit', endWithTests);
    await stopProcess(child);
    await rm(dataFolder, { recursive: true, force: true });
  };
  try {
    return { ...(await readWelcome(child)), password, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Welcome = Pick<RunningSluice, 'url' | 'email' | 'apiKey'>;

async function readWelcome(child: ChildProcess): Promise<Welcome> {
  let output = '';
  const welcome = Promise.withResolvers<Welcome>();
  const note = (chunk: Buffer) => {
    output += stripVTControlCharacters(chunk.toString());
    const found = parseWelcome(output);
    if (found) welcome.resolve(found);
  };
  const fail = (reason: string) => welcome.reject(new Error(`Sluice ${reason}. It printed:\n${output}`));
  child.stdout?.on('data', note);
  child.stderr?.on('data', note);
  child.once('error', (error) => fail(`did not start (${error.message})`));
  child.once('exit', (code, signal) => fail(`ended with ${code ?? signal} before it was ready`));
  const limit = setTimeout(fail, startLimitMs, `did not say how to use it within ${startLimitMs / 1000} s`);
  return welcome.promise.finally(() => clearTimeout(limit));
}

function parseWelcome(output: string): Welcome | undefined {
  const url = /https?:\/\/[\w.[\]:-]+(?=[/\s]|$)/m.exec(output)?.[0];
  const email = /[\w.+-]+@[\w.-]+\w/.exec(output)?.[0];
  const apiKey = /\bslc_[0-9A-Za-z]+/.exec(output)?.[0];
  return url && email && apiKey ? { url, email, apiKey } : undefined;
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const limit = setTimeout(() => child.kill('SIGKILL'), stopLimitMs);
  await exited;
  clearTimeout(limit);
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('The probe has no port');
  return address.port;
}
