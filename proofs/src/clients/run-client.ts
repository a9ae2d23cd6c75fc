import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import type { ClientProgram, Connection } from './programs.ts';
import { note, type Scene } from './scene-provider.ts';

const runLimitMs = 120_000;
const root = join(import.meta.dirname, '../../..');
const path = `${join(root, 'node_modules/.bin')}:${process.env.PATH}`;

export interface Printed {
  /** Exit code; `null` if the run exceeded the time limit. */
  readonly exitCode: number | null;
  readonly lines: readonly string[];
  readonly durationMs: number;
}

/** Returns the path of the client's command. */
export async function installClient(folder: string, name: string, program: ClientProgram): Promise<string> {
  const home = join(folder, `install-${name}`);
  await mkdir(home, { recursive: true });
  await writeFile(join(home, 'package.json'), '{"private":true}');
  const args = [
    'install',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    // The project disables install scripts, which some clients need.
    '--ignore-scripts=false',
    '--cache',
    join(folder, 'npm-cache'),
  ];
  await promisify(execFile)('npm', [...args, `${program.packageName}@${program.version}`], {
    cwd: home,
    // The environment selects the package registry configured on this machine.
    env: { ...process.env, NODE_OPTIONS: '', PATH: path },
  });
  return join(home, 'node_modules/.bin', program.command);
}

/** Kills the remaining child processes when the client exits. */
export async function runClient(
  folder: string,
  command: string,
  program: ClientProgram,
  { connection, prompt, scene, proxy }: ClientRun,
): Promise<Printed> {
  const home = await mkdtemp(join(folder, 'home-'));
  const work = join(home, 'work');
  const { args, env, files } = program.launch(connection, prompt, scene);
  await writeAll(home, { ...files, 'work/note.txt': note });
  const startedMs = performance.now();
  const child = spawn(command, args, {
    cwd: work,
    env: { PATH: path, HOME: home, TERM: 'dumb', ...proxyVariables(proxy), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const endGroup = () => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    } catch {
      // The process group has already exited.
    }
  };
  const limit = setTimeout(endGroup, runLimitMs);
  const [exitCode] = await once(child, 'exit');
  clearTimeout(limit);
  endGroup();
  const lines = stripVTControlCharacters(output).split(/[\r\n]+/);
  return {
    exitCode,
    lines: lines.map((line) => line.trim()).filter((line) => line !== ''),
    durationMs: performance.now() - startedMs,
  };
}

interface ClientRun {
  readonly connection: Connection;
  readonly prompt: string;
  readonly scene: Scene;
  readonly proxy: string;
}

async function writeAll(folder: string, files: Readonly<Record<string, object | string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  }
}

function proxyVariables(proxy: string): Record<string, string> {
  const direct = '127.0.0.1,localhost';
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'];
  return { ...Object.fromEntries(names.map((name) => [name, proxy])), NO_PROXY: direct, no_proxy: direct };
}

/** Starts a proxy that rejects all connections and counts the hosts that clients try to reach. */
export async function startClosedProxy() {
  const hosts = new Map<string, number>();
  const count = (host = '') => hosts.set(host, (hosts.get(host) ?? 0) + 1);
  const server = createServer((request, response) => {
    count(request.headers.host);
    response.writeHead(502).end();
  });
  server.on('connect', (request, socket) => {
    count(request.url);
    socket.on('error', () => socket.destroy());
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    hosts,
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
