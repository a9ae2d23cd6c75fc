import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { fastStart } from '#test/processes/run-command.ts';
import { prepareDataFolder } from './data-folder.ts';

const main = join(import.meta.dirname, '../product/main.ts');
const isRoot = userInfo().uid === 0;
const canMount = isRoot && spawnSync('unshare', ['--mount', 'true']).status === 0;
const limitMs = 5_000;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'data-folder-'));
  // The accounts that the tests switch to must be able to read the folder.
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, 'file'), 'not a folder');
  mkdirSync(join(folder, 'mounted'));
  mkdirSync(join(folder, 'closed'), { mode: 0o500 });
  symlinkSync(join(folder, 'loop'), join(folder, 'loop'));
  symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling'));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Start {
  readonly dataDir: string;
  readonly before?: readonly string[];
  readonly uid?: number;
  readonly env?: Record<string, string>;
}

function start({ dataDir, before = [], uid, env }: Start): ChildProcess {
  const [command = '', ...args] = [...before, process.execPath, main];
  return spawn(command, args, {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      ...fastStart,
      DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none',
      PORT: '0',
      SLUICE_DATA_DIR: dataDir,
      ...env,
    },
    ...(uid !== undefined && { uid, gid: uid }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

const mounted = (options: string) => [
  'unshare',
  '--mount',
  'sh',
  '-c',
  `mount -t tmpfs -o ${options} none ${join(folder, 'mounted')} && exec "$@"`,
  'sh',
];

describe('unusable data folders', () => {
  const cases: [why: string, make: () => Start, words: string, isSkipped?: boolean][] = [
    ['a folder in /proc', () => ({ dataDir: '/proc/x' }), 'does not let programs create folders'],
    ['a deep folder in /proc', () => ({ dataDir: '/proc/x/y/z' }), 'does not let programs create folders'],
    ['/proc itself', () => ({ dataDir: '/proc' }), 'cannot be used: '],
    ['a folder in /sys', () => ({ dataDir: '/sys/x' }), 'may not read and write there'],
    ['a device', () => ({ dataDir: '/dev/null' }), 'a file or a device'],
    ['a folder below a device', () => ({ dataDir: '/dev/null/x' }), 'a file or a device'],
    ['a file', () => ({ dataDir: join(folder, 'file') }), 'a file or a device'],
    ['a folder below a file', () => ({ dataDir: join(folder, 'file/x') }), 'a file or a device'],
    ['a relative path to a file', () => ({ dataDir: './file' }), 'a file or a device'],
    ['a loop of links', () => ({ dataDir: join(folder, 'loop') }), 'a loop of symbolic links'],
    ['a link to nowhere', () => ({ dataDir: join(folder, 'dangling') }), 'it does not exist'],
    ['a path that is too long', () => ({ dataDir: join(folder, 'x'.repeat(300)) }), 'path is too long'],
    [
      'a folder without permission',
      () => ({ dataDir: join(folder, 'closed'), uid: 65_534 }),
      'may not read and write there',
      !isRoot,
    ],
    [
      'a new folder without permission',
      () => ({ dataDir: join(folder, 'closed/x'), uid: 65_534 }),
      'may not read and write there',
      !isRoot,
    ],
    [
      'a read-only file system',
      () => ({ dataDir: join(folder, 'mounted'), before: mounted('ro') }),
      'file system is read-only',
      !canMount,
    ],
    [
      'a new folder on a read-only file system',
      () => ({ dataDir: join(folder, 'mounted/x'), before: mounted('ro') }),
      'file system is read-only',
      !canMount,
    ],
    [
      'a disk without room for the lock',
      () => ({ dataDir: join(folder, 'mounted'), before: mounted('size=4k') }),
      'its disk is full',
      !canMount,
    ],
  ];

  for (const [why, make, words, isSkipped = false] of cases)
    it.skipIf(isSkipped)(`a start rejects ${why} as the data folder and reports the reason`, async () => {
      chownSync(join(folder, 'closed'), 0, 0);
      const { dataDir } = make();
      const startedMs = performance.now();
      if (!make().before && make().uid === undefined) {
        const path = join(
          folder,
          relative(folder, dataDir.startsWith('/') ? dataDir : join(folder, dataDir)),
        );
        await expect(prepareDataFolder(path)).rejects.toThrow(words);
        expect(performance.now() - startedMs).toBeLessThan(limitMs);
        return;
      }
      const child = start(make());
      const [said, [code]] = await Promise.all([text(child.stderr!), once(child, 'exit')]);
      expect(said).toContain(`The data folder ${dataDir} cannot be used`);
      expect(said).toContain(words);
      expect(said).toContain('Set SLUICE_DATA_DIR to');
      expect(code).toBe(1);
    });
});

describe('SIGTERM during a start', () => {
  async function listenSilently() {
    const sockets: Socket[] = [];
    const accepted = Promise.withResolvers<void>();
    const server = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined);
      accepted.resolve();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    return { address: server.address() as { port: number }, accepted: accepted.promise };
  }

  it('SIGTERM stops a start that waits for a database which does not respond', async () => {
    const { address, accepted } = await listenSilently();
    const child = start({
      dataDir: join(folder, 'silent'),
      env: { DATABASE_URL: `postgresql://nobody@127.0.0.1:${address.port}/none` },
    });
    const exited = once(child, 'exit');
    await accepted;
    const signaledMs = performance.now();
    child.kill('SIGTERM');
    await exited;
    expect(performance.now() - signaledMs).toBeLessThan(limitMs);
  });

  it('SIGTERM stops a start that is setting up its PostgreSQL', async () => {
    const dataDir = join(folder, 'embedded');
    const child = start({ dataDir, env: { DATABASE_URL: '', SLUICE_WORKERS: '1' } });
    const exited = once(child, 'exit');
    await expect
      .poll(() => spawnSync('ls', [join(dataDir, 'lock.holder')]).status, { timeout: 30_000 })
      .toBe(0);
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });
});
