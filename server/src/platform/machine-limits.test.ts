import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { defaultWorkers } from '#config/fit-connections.ts';
import { readMachineLimits } from './machine-limits.ts';

const gibibyte = 2 ** 30;
const machine = { cpus: 16, memoryBytes: 64 * gibibyte };
const v1Unlimited = '9223372036854771712\n';

function readWith(files: Record<string, string>) {
  const root = mkdtempSync(join(tmpdir(), 'cgroup-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return readMachineLimits(root, machine);
}

const v2 = (cpu: string, memory: string, path = '/') => ({
  'proc/self/cgroup': `0::${path}\n`,
  [`sys/fs/cgroup${path}/cpu.max`]: `${cpu}\n`,
  [`sys/fs/cgroup${path}/memory.max`]: `${memory}\n`,
});
const v1 = (quota: string, memory: string, path = '/') => ({
  'proc/self/cgroup': `5:cpu,cpuacct:${path}\n4:memory:${path}\n3:pids:${path}\n`,
  [`sys/fs/cgroup/cpu${path}/cpu.cfs_quota_us`]: `${quota}\n`,
  [`sys/fs/cgroup/cpu${path}/cpu.cfs_period_us`]: '100000\n',
  [`sys/fs/cgroup/memory${path}/memory.limit_in_bytes`]: memory,
});

it.each([
  ['no cgroup at all', {}, 16, 64, 16],
  ['v2 without a limit', v2('max 100000', 'max'), 16, 64, 16],
  ['v2 with 4 CPUs and 8 GiB', v2('400000 100000', String(8 * gibibyte)), 4, 8, 4],
  ['v2 with 1.5 CPUs', v2('150000 100000', 'max'), 1.5, 64, 1],
  ['v2 with half a CPU', v2('50000 100000', 'max'), 0.5, 64, 1],
  ['v2 with another period', v2('250000 50000', 'max'), 5, 64, 5],
  ['v2 with less memory than the CPUs need', v2('800000 100000', String(2 * gibibyte)), 8, 2, 3],
  ['v2 with hardly any memory', v2('800000 100000', String(gibibyte / 4)), 8, 0.25, 1],
  [
    'v2 in a slice of systemd',
    v2('200000 100000', String(4 * gibibyte), '/system.slice/sluice.service'),
    2,
    4,
    2,
  ],
  [
    'v2 whose parent is tighter',
    { ...v2('800000 100000', 'max', '/a/b'), 'sys/fs/cgroup/a/cpu.max': '300000 100000\n' },
    3,
    64,
    3,
  ],
  ['v1 without a limit', v1('-1', v1Unlimited), 16, 64, 16],
  ['v1 with 2.5 CPUs and 4 GiB', v1('250000', `${4 * gibibyte}\n`), 2.5, 4, 2],
  ['v1 in a container of Docker', v1('300000', `${16 * gibibyte}\n`, '/docker/abc'), 3, 16, 3],
])(
  'readMachineLimits and defaultWorkers return the limits and workers for %s',
  (_, files, cpus, memoryGibibytes, workers) => {
    const limits = readWith(files);
    expect(limits).toEqual({ cpus, memoryBytes: memoryGibibytes * gibibyte });
    expect(defaultWorkers(limits)).toBe(workers);
  },
);
