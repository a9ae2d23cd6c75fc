import { readFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { dirname, join } from 'node:path';

/** CPU and memory limits of this process, from its cgroups and the hardware. */
export interface MachineLimits {
  /** Number of CPUs. May be a fraction, such as 1.5 for a CPU limit of 1500m. */
  readonly cpus: number;
  readonly memoryBytes: number;
}

/** Returns the lowest limits among the cgroups of this process (v1 or v2) and the hardware. */
export function readMachineLimits(
  root = '/',
  machine: MachineLimits = { cpus: availableParallelism(), memoryBytes: totalmem() },
): MachineLimits {
  const groups = listGroups(root);
  return {
    cpus: Math.min(machine.cpus, ...groups.map(readCpus)),
    memoryBytes: Math.min(machine.memoryBytes, ...groups.map(readMemory)),
  };
}

interface Group {
  readonly version: 1 | 2;
  readonly folder: string;
}

/** Lists the cgroups of this process and all their parents, since a limit applies to all descendants. */
function listGroups(root: string): Group[] {
  const base = join(root, 'sys/fs/cgroup');
  return read(join(root, 'proc/self/cgroup'))
    .split('\n')
    .flatMap((line): Group[] => {
      const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
      if (path === undefined) return [];
      const names = controllers?.split(',') ?? [];
      if (controllers === '')
        return listAncestors(path).map((at) => ({ version: 2, folder: join(base, at) }));
      const controller = ['cpu', 'memory'].find((name) => names.includes(name));
      return controller
        ? listAncestors(path).map((at) => ({ version: 1, folder: join(base, controller, at) }))
        : [];
    });
}

function listAncestors(path: string): string[] {
  return path === '/' ? ['/'] : [path, ...listAncestors(dirname(path))];
}

function readCpus({ version, folder }: Group): number {
  const [quota, period] =
    version === 2
      ? read(join(folder, 'cpu.max')).trim().split(/\s+/)
      : [read(join(folder, 'cpu.cfs_quota_us')), read(join(folder, 'cpu.cfs_period_us'))];
  const cpus = positive(quota) / positive(period);
  return Number.isNaN(cpus) ? Number.POSITIVE_INFINITY : cpus;
}

/** In version 1, "no limit" is a number larger than any machine's memory. */
function readMemory({ version, folder }: Group): number {
  return positive(read(join(folder, version === 2 ? 'memory.max' : 'memory.limit_in_bytes')));
}

/** Returns `Infinity` for `max`, -1, and missing files. */
function positive(text = ''): number {
  const value = Number(text.trim() || Number.NaN);
  return value > 0 ? value : Number.POSITIVE_INFINITY;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
