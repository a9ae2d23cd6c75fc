/**
 * Runs work when one of a few slots is free. `path` says for whom, from the widest group to the narrowest, such as a
 * tenant and a person: groups take turns, and so do those within a group; one and the same comes in the order of arrival.
 */
export type FairQueue = <Result>(path: readonly string[], work: () => Promise<Result>) => Promise<Result>;

export interface FairQueueOptions {
  readonly slots: number;
  /** How much may wait in all, then in one group of each step of the path. */
  readonly waitingMax: readonly number[];
}

/** As much waits as may. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError';
  /** How many steps of the path lead to the group that is full; 0 is the whole queue. */
  readonly depth: number;

  constructor(depth: number) {
    super('too much work is waiting');
    this.depth = depth;
  }
}

type Start = () => void;

/** Groups in the order of their turns; a leaf holds its own work instead. */
interface Group {
  waiting: number;
  readonly groups: Map<string, Group>;
  readonly starts: Start[];
}

export function createFairQueue({ slots, waitingMax }: FairQueueOptions): FairQueue {
  const root = createGroup();
  let running = 0;
  return async (path, work) => {
    if (running < slots) running++;
    else {
      refuseWhenFull(root, path, waitingMax);
      await new Promise<void>((start) => add(root, path, start));
    }
    try {
      return await work();
    } finally {
      const passSlotOn = takeNext(root);
      if (passSlotOn) passSlotOn();
      else running--;
    }
  };
}

const createGroup = (): Group => ({ waiting: 0, groups: new Map(), starts: [] });

function refuseWhenFull(root: Group, path: readonly string[], waitingMax: readonly number[]): void {
  let group: Group | undefined = root;
  for (let depth = 0; group && depth <= path.length; depth++) {
    if (group.waiting >= (waitingMax[depth] ?? Number.POSITIVE_INFINITY)) throw new QueueFullError(depth);
    group = group.groups.get(path[depth] ?? '');
  }
}

function add(group: Group, [step, ...rest]: readonly string[], start: Start): void {
  group.waiting++;
  if (step === undefined) group.starts.push(start);
  else add(group.groups.getOrInsertComputed(step, createGroup), rest, start);
}

function takeNext(group: Group): Start | undefined {
  if (group.waiting === 0) return undefined;
  group.waiting--;
  const [first] = group.groups;
  if (!first) return group.starts.shift();
  const [step, next] = first;
  const start = takeNext(next);
  // Whoever had a turn goes behind the others; whoever waits for nothing more is forgotten.
  group.groups.delete(step);
  if (next.waiting > 0) group.groups.set(step, next);
  return start;
}
