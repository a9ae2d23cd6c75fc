import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import type { Image } from './image-build.ts';

export interface Container {
  readonly output: () => string;
  /** Resolves with the exit code of the container's first process. */
  readonly exited: Promise<number | null>;
  signal(signal: NodeJS.Signals): void;
  checkHealth(): number;
  readUser(): number;
}

export function startContainer(image: Image, dataDir: string, env: Record<string, string>): Container {
  const { rootDir, entrypoint, user } = image;
  mkdirSync(dataDir, { recursive: true });
  const [uid = 0, gid = 0] = user.split(':').map(Number);
  chownSync(dataDir, uid, gid);
  const mounts = [
    `mount --bind ${rootDir} ${rootDir}`,
    `mount --bind ${dataDir} ${rootDir}/data`,
    `mount --rbind /dev ${rootDir}/dev`,
    `mount -t proc proc ${rootDir}/proc`,
    `mount -o remount,bind,ro ${rootDir}`,
  ];
  const script = `${mounts.join(' && ')} && exec ${chroot(image)} "$@"`;
  const child = spawn('unshare', ['--mount', '--pid', '--fork', 'sh', '-c', script, 'sh', ...entrypoint], {
    env: { ...image.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const note = (chunk: Buffer) => {
    output += stripVTControlCharacters(chunk.toString());
  };
  child.stdout.on('data', note);
  child.stderr.on('data', note);
  const first = () => findFirstProcess(child.pid ?? 0);
  return {
    output: () => output,
    exited: once(child, 'exit').then(([code]) => code),
    signal: (signal) => void process.kill(first(), signal),
    checkHealth() {
      const inside = [
        '--target',
        String(first()),
        '--mount',
        '--pid',
        'sh',
        '-c',
        `exec ${chroot(image)} "$@"`,
      ];
      try {
        execFileSync('nsenter', [...inside, 'sh', ...image.healthCheck], { env: { ...image.env, ...env } });
        return 0;
      } catch (error) {
        return error instanceof Error && 'status' in error ? Number(error.status) : -1;
      }
    },
    readUser: () => Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${first()}/status`, 'utf8'))?.[1]),
  };
}

function chroot({ rootDir, user, workDir }: Image): string {
  return `chroot --userspec=${user} --groups= ${rootDir} /usr/bin/env -C ${workDir}`;
}

/** Returns the child process of `unshare`, which itself remains outside of the container. */
function findFirstProcess(pid: number): number {
  return Number(
    readFileSync(join('/proc', String(pid), 'task', String(pid), 'children'), 'utf8').split(' ')[0],
  );
}

/** Resolves with the first group of the match, or the whole match without groups. */
export async function awaitOutput(container: Container, pattern: RegExp, withinMs: number): Promise<string> {
  const endMs = performance.now() + withinMs;
  let hasEnded = false;
  void container.exited.then(() => {
    hasEnded = true;
  });
  for (;;) {
    const found = pattern.exec(container.output());
    if (found) return found[1] ?? found[0];
    if (hasEnded || performance.now() > endMs)
      throw new Error(`the container printed:\n${container.output()}`);
    await pause(50);
  }
}
