/** A turn of the event loop that takes longer is late. */
const lateMs = 50;
/** Whoever has waited for this long within a turn is refused while there is too much to do. */
const waitMaxMs = 25;
/** Turns have to be late for so long before anybody is refused: a pause of the collector is no overload. */
const sustainedMs = 500;
/** And prompt, without anybody who is refused, for so long before it is over. */
const calmMs = 1_000;
/** Late turns with more than this between them are not one overload. */
const gapMs = 100;

function readThreadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

export interface LoadShedderOptions {
  readonly nowMs?: () => number;
  /** The processor's time that this thread has used. */
  readonly cpuMs?: () => number;
  /** Hears when requests begin to be refused, and when that is over. */
  readonly onChange?: ((isShedding: boolean) => void) | undefined;
}

/**
 * Refuses requests, before anything of them is read, once this worker has more to do than it can. It measures how long
 * requests wait: all that one turn of the event loop reads had arrived when the turn began, so that a turn takes
 * requests for some milliseconds and refuses the rest. What is taken is bounded by time and not by a number, on any
 * machine and for any size of requests; what streams or waits for a provider costs no turn and counts for nothing. A turn is late by the
 * processor's time that it took: where others hold the processor, requests come late and nobody is refused for it.
 */
export class LoadShedder {
  readonly #nowMs: () => number;
  readonly #cpuMs: () => number;
  readonly #onChange: (isShedding: boolean) => void;
  /** What the processor's time was when the last late turn ended; `null` after a prompt one, so that those read no such clock. */
  #lateCpuMs: number | null = null;
  #turnStartedMs: number | null = null;
  #turnEndedMs = 0;
  /** When the first ended of the late turns that have come one after the other; `null` after a prompt one. */
  #lateSinceMs: number | null = null;
  #lateAtMs = 0;
  #isShedding = false;
  #calmTimer: NodeJS.Timeout | undefined;
  #shed = 0;
  #shedBeforeTurn = 0;

  constructor({ nowMs, cpuMs, onChange }: LoadShedderOptions = {}) {
    this.#nowMs = nowMs ?? (() => performance.now());
    this.#cpuMs = cpuMs ?? readThreadCpuMs;
    this.#onChange = onChange ?? (() => {});
  }

  /** How many it has refused. */
  get shed(): number {
    return this.#shed;
  }

  /** Whether a request is to be refused; to be asked once for each, as it arrives. */
  refuses(): boolean {
    const now = this.#nowMs();
    if (this.#turnStartedMs === null) {
      this.#turnStartedMs = now;
      this.#shedBeforeTurn = this.#shed;
      setImmediate(this.#endTurn);
    }
    if (!this.#isShedding || now - this.#turnStartedMs <= waitMaxMs) return false;
    this.#shed++;
    return true;
  }

  // After all that the turn has read.
  readonly #endTurn = (): void => {
    const now = this.#nowMs();
    const startedMs = this.#turnStartedMs ?? now;
    this.#turnStartedMs = null;
    if (startedMs - this.#turnEndedMs > gapMs) {
      this.#lateSinceMs = null;
      this.#lateCpuMs = null;
    }
    this.#turnEndedMs = now;
    // Turns are kept short by refusing, which is no sign that the overload is over.
    const hasRefused = this.#shed > this.#shedBeforeTurn;
    if (this.#isLate(now - startedMs) || hasRefused) {
      this.#lateSinceMs ??= now;
      this.#lateAtMs = now;
      if (now - this.#lateSinceMs > sustainedMs) this.#setShedding(true);
    } else {
      this.#lateSinceMs = null;
      this.#endWhenCalm();
    }
  };

  #setShedding(isShedding: boolean): void {
    if (isShedding === this.#isShedding) return;
    this.#isShedding = isShedding;
    clearInterval(this.#calmTimer);
    // Nobody may come any more, and then no turn ends.
    if (isShedding) this.#calmTimer = setInterval(this.#endWhenCalm, calmMs).unref();
    this.#onChange(isShedding);
  }

  readonly #endWhenCalm = (): void => {
    if (this.#nowMs() - this.#lateAtMs > calmMs) this.#setShedding(false);
  };

  /** Of the first late turn nobody knows what of it was this worker's own work, so that it counts as prompt. */
  #isLate(turnMs: number): boolean {
    const before = this.#lateCpuMs;
    this.#lateCpuMs = turnMs > lateMs ? this.#cpuMs() : null;
    return before !== null && this.#lateCpuMs !== null && this.#lateCpuMs - before > lateMs;
  }
}
