import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify, stripVTControlCharacters } from 'node:util';
import { findFreePort } from './free-port.ts';
import { makeLastingKey } from './lasting-key.ts';
import { fastStart } from './run-command.ts';

const root = join(import.meta.dirname, '../../..');
const startLimitMs = 150_000;
const host = '127.0.0.1';

/** Command prefix that runs a command as process 1, as in a container. */
export const asProcess1 = ['unshare', '--pid', '--fork', '--mount-proc'] as const;

export const programFile = 'server/src/product/main.ts';

/** Launch commands of the product: its own program, the README's command, and that command as process 1. */
export const launchers = {
  program: [process.execPath, programFile],
  npm: ['npm', 'start'],
  npmAsProcess1: [...asProcess1, 'npm', 'start'],
} as const;

/** Product in separate processes, with a data folder that persists across starts. */
export interface SluiceProcess {
  readonly origin: string;
  readonly dataDir: string;
  readonly admin: { readonly email: string; readonly password: string };
  /** API key of the administrator. Set after the first start. */
  readonly apiKey: string;
  /** Resolves when the product is ready. `folder` selects another version. */
  start(folder?: string): Promise<void>;
  /**
   * Returns the ids of live processes: the launched one, the supervisor, its workers and shippers, or all
   * descendants.
   */
  pids(kind: 'launched' | 'supervisor' | 'workers' | 'shippers' | 'everything'): number[];
  /**
   * Sends a signal. `group` is the foreground process group of a terminal: all processes without a group of their
   * own.
   */
  signal(signal: NodeJS.Signals, to?: 'launched' | 'supervisor' | 'shippers' | 'group'): void;
  readonly logged: readonly string[];
  dropOutput(): void;
  /** Resolves with the exit code once the supervisor and all processes with its output have exited. */
  readonly exited: Promise<number | null>;
  connectionString(): string;
  remove(): Promise<void>;
}

/** Creates a product that runs only after `start`. */
export async function createSluice(
  env: Record<string, string> = {},
  [command, ...args]: readonly [string, ...string[]] = launchers.program,
): Promise<SluiceProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-process-'));
  const port = await findFreePort();
  const admin = { email: 'admin@example.com', password: 'process-test-password' };
  let child: ChildProcess | undefined;
  let exited: Promise<number | null> = Promise.resolve(null);
  let apiKey = '';
  const logged: string[] = [];
  const pids: SluiceProcess['pids'] = (kind) => listPids(child?.pid, kind);
  return {
    origin: `http://${host}:${port}`,
    dataDir,
    admin,
    logged,
    get apiKey() {
      return apiKey;
    },
    get exited() {
      return exited;
    },
    async start(folder = root) {
      if (apiKey === '' && folder === root && canCopy(env)) apiKey = await copyPrepared(dataDir);
      const own = { PORT: String(port), SLUICE_DATA_DIR: dataDir, SLUICE_ADMIN_PASSWORD: admin.password };
      const given = args.map((arg) => (arg === programFile ? findProgram(folder) : arg));
      const started = launch(folder, command, given, { ...own, ...env });
      child = started;
      followLines(started, logged);
      exited = once(started, 'close').then(([code]) => code);
      const welcome = await untilReady(started);
      if (/\bslc_[0-9A-Za-z]+/.test(welcome)) apiKey = await makeLastingKey(`http://${host}:${port}`, admin);
    },
    pids,
    signal(signal, to = 'supervisor') {
      if (to === 'group') process.kill(-(child?.pid ?? 0), signal);
      else for (const pid of pids(to)) process.kill(pid, signal);
    },
    dropOutput: () => dropOutputOf(child),
    connectionString: () => readConnectionString(dataDir),
    async remove() {
      if (child && child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      await exited;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Whether the first start may use the prepared data folder. The folder must exist, and the environment must not
 * change the setup.
 */
const canCopy = (env: Record<string, string>) =>
  process.env[preparedVariable] !== undefined &&
  !['DATABASE_URL', 'SLUICE_DATA_DIR', 'SLUICE_SECRET', 'SLUICE_ADMIN_PASSWORD'].some((name) => name in env);

/** Environment variable with the folder that the first start of a run prepares for all others. */
export const preparedVariable = 'SLUICE_TEST_PREPARED';

/** Returns the API key of the administrator. */
async function copyPrepared(dataDir: string): Promise<string> {
  const folder = process.env[preparedVariable] ?? '';
  const keyFile = join(folder, 'key');
  while (!existsSync(keyFile)) {
    const isOurs = await mkdir(join(folder, 'data')).then(
      () => true,
      () => false,
    );
    if (isOurs) await prepare(folder, keyFile);
    else await pause(50);
  }
  // The database files belong to a separate OS account, which `-p` preserves.
  await promisify(execFile)('cp', ['-Rp', join(folder, 'data', '.'), dataDir]);
  return readFileSync(keyFile, 'utf8');
}

async function prepare(folder: string, keyFile: string): Promise<void> {
  const dataDir = join(folder, 'data');
  try {
    const first = await createSluice({ SLUICE_DATA_DIR: dataDir, SLUICE_WORKERS: '1' });
    await first.start();
    first.signal('SIGTERM');
    await first.exited;
    await writeFile(`${keyFile}.part`, first.apiKey);
    await rename(`${keyFile}.part`, keyFile);
  } catch (error) {
    await rm(dataDir, { recursive: true, force: true });
    throw error;
  }
}

/** Releases up to 0.2.0 have the program in another folder. */
function findProgram(folder: string): string {
  return existsSync(join(folder, programFile)) ? programFile : 'server/src/main.ts';
}

function launch(folder: string, command: string, args: readonly string[], env: Record<string, string>) {
  const started = spawn(command, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, HOST: host, ...fastStart, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: command !== process.execPath,
  });
  // Kills processes that a test has left running if the run is aborted.
  const endWithTests = () => started.kill();
  process.once('exit', endWithTests);
  started.once('exit', () => process.off('exit', endWithTests));
  return started;
}

function dropOutputOf(child: ChildProcess | undefined): void {
  child?.stdout?.destroy();
  child?.stderr?.destroy();
}

function followLines({ stdout }: ChildProcess, lines: string[]): void {
  if (stdout) createInterface(stdout).on('line', (line) => void lines.push(line));
}

function readConnectionString(dataDir: string): string {
  const [, , , port, socketDir = ''] = readFileSync(
    join(dataDir, 'postgres', 'postmaster.pid'),
    'utf8',
  ).split('\n');
  return `postgresql://sluice@localhost:${port}/sluice?host=${encodeURIComponent(socketDir)}&sslmode=disable`;
}

async function untilReady(child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let output = '';
  const note = (chunk: Buffer) => {
    output += stripVTControlCharacters(chunk.toString());
    if (/^Sluice .* is ready\.$/m.test(output)) setImmediate(() => resolve(output));
  };
  const fail = (reason: string) => reject(new Error(`Sluice ${reason}. It printed:\n${output}`));
  child.stdout?.on('data', note);
  child.stderr?.on('data', note);
  child.once('exit', (code, signal) => fail(`exited with ${code ?? signal} before it was ready`));
  const limit = setTimeout(fail, startLimitMs, `was not ready within ${startLimitMs / 1000} s`);
  return promise.finally(() => clearTimeout(limit));
}

interface Process {
  pid: number;
  parent: number;
  command: string;
}

const isKind = {
  // `unshare` itself remains outside of the namespace that it creates.
  launched: ({ command }: Process) => !command.startsWith('unshare '),
  supervisor: ({ command }: Process) => /server\/src\/(product\/)?main\.ts/.test(command),
  workers: ({ command }: Process) => /worker(\/main)?\.ts/.test(command),
  shippers: ({ command }: Process) => command.includes('shipper/main.ts'),
  everything: () => true,
};

function listPids(launchedPid: number | undefined, kind: keyof typeof isKind): number[] {
  if (launchedPid === undefined) throw new Error('Sluice has not been started');
  const family = listFamily(launchedPid).filter(isKind[kind]);
  return (kind === 'launched' ? family.slice(0, 1) : family).map(({ pid }) => pid);
}

/** Returns parents before their children. */
function listFamily(pid: number): Process[] {
  const all = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => {
      const [, id, parent, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
      return id ? [{ pid: Number(id), parent: Number(parent), command }] : [];
    });
  const of = (parent: number): Process[] =>
    all.filter((one) => one.parent === parent).flatMap((one) => [one, ...of(one.pid)]);
  return [...all.filter((one) => one.pid === pid), ...of(pid)];
}
