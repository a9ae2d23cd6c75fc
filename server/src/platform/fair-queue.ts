export type FairQueue = <Result>(path: readonly string[], work: () => Promise<Result>) => Promise<Result>;

export interface FairQueueOptions {
  readonly slots: number;
  readonly waitingMax: readonly number[];
  /**
   * Maximum number of running calls: in total, and then per group at each level of the path. Defaults to the number
   * of slots.
   */
  readonly runningMax?: readonly number[];
  /** Maximum wait of a call before it is rejected, in milliseconds. Unlimited by default. */
  readonly waitMaxMs?: number;
}

export class QueueFullError extends Error {
  override readonly name = 'QueueFullError';
  /** Depth of the full group in the path; 0 is the whole queue. */
  readonly depth: number;

  constructor(depth: number) {
    super('too much work is waiting');
    this.depth = depth;
  }
}

/** Thrown when no slot became free in time. */
export class QueueWaitError extends Error {
  override readonly name = 'QueueWaitError';

  constructor(waitMaxMs: number) {
    super(`no slot was free within ${waitMaxMs} ms`);
  }
}

interface Waiter {
  readonly groups: readonly Group[];
  readonly start: () => void;
}

/** Group of subgroups in the order of their turns. A leaf contains calls instead. */
interface Group {
  readonly name: string;
  waiting: number;
  running: number;
  readonly groups: Map<string, Group>;
  readonly waiters: Set<Waiter>;
}

export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { slots, waitingMax, runningMax = [], waitMaxMs } = options;
  const root = createGroup('');
  const runningMaxAt = [Math.min(slots, runningMax[0] ?? slots), ...runningMax.slice(1)];
  const mayRun = (group: Group, depth: number) =>
    group.running < (runningMaxAt[depth] ?? Number.POSITIVE_INFINITY);

  const startNext = () => {
    const waiter = mayRun(root, 0) ? findNext(root, 0, mayRun) : undefined;
    if (!waiter) return;
    removeWaiter(waiter);
    begin(waiter.groups);
    waiter.start();
  };
  return async (path, work) => {
    const groups = openGroups(root, path);
    if (groups.every(mayRun)) begin(groups);
    else await wait(groups, waitingMax, waitMaxMs);
    try {
      return await work();
    } finally {
      for (const group of groups) group.running--;
      forgetUnused(groups);
      startNext();
    }
  };
}

function createGroup(name: string): Group {
  return { name, waiting: 0, running: 0, groups: new Map(), waiters: new Set() };
}

function openGroups(root: Group, path: readonly string[]): Group[] {
  const groups = [root];
  let group = root;
  for (const step of path) {
    group = group.groups.getOrInsertComputed(step, createGroup);
    groups.push(group);
  }
  return groups;
}

function begin(groups: readonly Group[]): void {
  for (const [depth, group] of groups.entries()) {
    group.running++;
    const parent = groups[depth - 1];
    parent?.groups.delete(group.name);
    parent?.groups.set(group.name, group);
  }
}

function wait(
  groups: readonly Group[],
  waitingMax: readonly number[],
  waitMaxMs: number | undefined,
): Promise<void> {
  const fullDepth = groups.findIndex(
    ({ waiting }, depth) => waiting >= (waitingMax[depth] ?? Number.POSITIVE_INFINITY),
  );
  if (fullDepth >= 0) {
    forgetUnused(groups);
    throw new QueueFullError(fullDepth);
  }
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const start = () => {
    clearTimeout(timer);
    resolve();
  };
  const waiter: Waiter = { groups, start };
  const timer =
    waitMaxMs === undefined
      ? undefined
      : setTimeout(() => {
          removeWaiter(waiter);
          forgetUnused(groups);
          reject(new QueueWaitError(waitMaxMs));
        }, waitMaxMs);
  for (const group of groups) group.waiting++;
  groups.at(-1)?.waiters.add(waiter);
  return promise;
}

function removeWaiter(waiter: Waiter): void {
  for (const group of waiter.groups) group.waiting--;
  waiter.groups.at(-1)?.waiters.delete(waiter);
}

/** Skips groups at their running limit; their number never exceeds the number of slots. */
function findNext(
  group: Group,
  depth: number,
  mayRun: (group: Group, depth: number) => boolean,
): Waiter | undefined {
  const [first] = group.waiters;
  if (first) return first;
  for (const next of group.groups.values()) {
    if (next.waiting === 0 || !mayRun(next, depth + 1)) continue;
    const found = findNext(next, depth + 1, mayRun);
    if (found) return found;
  }
  return undefined;
}

function forgetUnused(groups: readonly Group[]): void {
  for (const [depth, group] of groups.entries()) {
    if (group.running + group.waiting === 0) groups[depth - 1]?.groups.delete(group.name);
  }
}
