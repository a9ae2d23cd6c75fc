/** For so long one turn of the event loop begins requests; then answers, probes and new connections have their turn. */
const sliceMs = 5;
/** While connections wait, of which a worker takes one in each turn, a turn begins one request. */
const shortSliceMs = 0;
/** They are told of with each connection that is taken; then they may be gone. */
const connectionsWaitMs = 100;
/** So many requests are begun or refused in a turn, at most. */
const stepsMax = 64;
/** A request that has waited for longer is late, if the processor worked for this process half of the time. */
const lateMs = 500;
const busyShare = 0.5;
/** Whoever has waited for longer is refused while there is too much to do. */
const waitMaxMs = 60;
/** Requests have to be late for so long before anybody is refused: a pause of the collector is no overload. */
const sustainedMs = 500;
/** And nobody be refused for so long before it is over. */
const calmMs = 1_000;

function readThreadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** So many that wait no more are kept until they are deleted together. */
const compactedAt = 256;

interface Waiting {
  readonly serve: () => void;
  readonly refuse: () => void;
  readonly sinceMs: number;
  readonly sinceCpuMs: number;
}

/**
 * The line in which requests wait, unread, while this worker has more to do than one turn of its event loop should
 * take. So turns stay short however many requests come at once. Once the line has been too long for a while, whoever
 * has waited in it is refused. What streams or waits for a provider is not in it. A request is late by the processor's
 * time that passed meanwhile: where others hold the processor, requests wait and nobody is refused for it.
 */
export class RequestQueue {
  readonly #nowMs: () => number;
  readonly #cpuMs: () => number;
  readonly #waiting: Waiting[] = [];
  /** The first that still waits in `#waiting`. */
  #next = 0;
  /** When the first request of this turn came, and when its first step began. */
  #turnStartedMs: number | null = null;
  #stepsStartedMs = 0;
  /** Which turn the last step was of, and how many are to come. */
  #turn = 0;
  #steps = 0;
  #connectionsWaitUntilMs = 0;
  /** When the first was late of those that have been since without a break. */
  #lateSinceMs: number | null = null;
  #refusedAtMs = Number.NEGATIVE_INFINITY;
  #isShedding = false;
  #shed = 0;

  constructor(nowMs: () => number = () => performance.now(), cpuMs: () => number = readThreadCpuMs) {
    this.#nowMs = nowMs;
    this.#cpuMs = cpuMs;
  }

  /** How many it has refused. */
  get shed(): number {
    return this.#shed;
  }

  /** How many are in the line. */
  get waiting(): number {
    return this.#waiting.length - this.#next;
  }

  /** Connections wait for this worker to take them. */
  noteConnectionsWaiting(): void {
    this.#connectionsWaitUntilMs = this.#nowMs() + connectionsWaitMs;
  }

  /** Begins a request now or in a later turn, by `serve`, or refuses it by `refuse`. */
  enter(serve: () => void, refuse: () => void): void {
    const now = this.#nowMs();
    this.#turnStartedMs ??= now;
    if (this.waiting === 0 && now - this.#turnStartedMs <= this.#findSliceMs(now)) serve();
    else this.#waiting.push({ serve, refuse, sinceMs: now, sinceCpuMs: this.#cpuMs() });
    this.#scheduleSteps();
  }

  #findSliceMs(now: number): number {
    return now < this.#connectionsWaitUntilMs ? shortSliceMs : sliceMs;
  }

  /** One at least, which ends the turn; and one for each that waits, since what a step begins goes on when it returns. */
  #scheduleSteps(): void {
    const wanted = Math.min(stepsMax, Math.max(1, this.waiting));
    for (; this.#steps < wanted; this.#steps++) setImmediate(this.#step, this.#turn + 1);
  }

  readonly #step = (turn: number): void => {
    const now = this.#nowMs();
    this.#steps--;
    if (turn !== this.#turn) {
      this.#turn = turn;
      this.#turnStartedMs = null;
      this.#stepsStartedMs = now;
    }
    if (now - this.#stepsStartedMs <= this.#findSliceMs(now)) this.#takeFirst(now);
    const isEmpty = this.waiting === 0;
    if (isEmpty || this.#next >= compactedAt) {
      this.#waiting.splice(0, this.#next);
      this.#next = 0;
    }
    if (isEmpty) this.#lateSinceMs = null;
    else this.#scheduleSteps();
  };

  #takeFirst(now: number): void {
    const first = this.#waiting[this.#next];
    if (!first) return;
    this.#next++;
    this.#judge(first, now);
    if (this.#isShedding && now - first.sinceMs > waitMaxMs) {
      this.#shed++;
      this.#refusedAtMs = now;
      first.refuse();
    } else first.serve();
  }

  #judge({ sinceMs, sinceCpuMs }: Waiting, now: number): void {
    if (now - this.#refusedAtMs > calmMs) this.#isShedding = false;
    const waitedMs = now - sinceMs;
    const isLate = waitedMs > lateMs && this.#cpuMs() - sinceCpuMs > busyShare * waitedMs;
    this.#lateSinceMs = isLate ? (this.#lateSinceMs ?? now) : null;
    if (this.#isShedding || this.#lateSinceMs === null || now - this.#lateSinceMs <= sustainedMs) return;
    this.#isShedding = true;
    this.#refusedAtMs = now;
  }
}
