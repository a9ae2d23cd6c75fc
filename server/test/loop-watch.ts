/** What work did to the event loop of this process. */
export interface LoopFigures {
  /** The longest time on the processor between two turns; without what other processes took of it. */
  readonly heldMs: number;
  /** The longest time between two turns by the clock on the wall. */
  readonly stallMs: number;
  readonly durationMs: number;
}

/** Looks at the event loop in each of its turns for as long as `work` takes. */
export async function watchLoop(work: () => Promise<unknown>): Promise<LoopFigures> {
  const startedMs = performance.now();
  let heldMs = 0;
  let stallMs = 0;
  let isDone = false;
  let atMs = startedMs;
  let cpuMs = readCpuMs();
  const look = () => {
    const [nowMs, nowCpuMs] = [performance.now(), readCpuMs()];
    stallMs = Math.max(stallMs, nowMs - atMs);
    heldMs = Math.max(heldMs, nowCpuMs - cpuMs);
    [atMs, cpuMs] = [nowMs, nowCpuMs];
    // A timer, so that the loop may rest between two looks.
    if (!isDone) setTimeout(look, 1);
  };
  look();
  try {
    await work();
  } finally {
    isDone = true;
    look();
  }
  return { heldMs, stallMs, durationMs: performance.now() - startedMs };
}

function readCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
