/** For so long one turn of the event loop begins requests; then answers, probes and new connections have their turn. */
const sliceMs = 5;
/** While connections wait, of which a worker takes one in each turn, a turn begins one request. */
const shortSliceMs = 0;
/** They are told of with each connection that is taken; then they may be gone. */
const connectionsWaitMs = 100;
/** So many requests are begun in a turn, at most. */
const stepsMax = 64;
/** Who would wait behind more work than this is refused. */
const lineMaxMs = 500;
/** What the newest request counts for in what one takes, and the most that it counts as: a pause of the collector is no overload. */
const newestShare = 1 / 64;
const countedMaxMs = 50;
/** So many that wait no more are kept until they are deleted together. */
const compactedAt = 256;

function readThreadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/**
 * The line in which requests wait, unread, while this worker has more to do than one turn of its event loop should
 * take. So turns stay short however many requests come at once. Who would wait for too long is refused at once. How long
 * is reckoned from what a request takes of the processor's time, so that nobody is refused where others hold the
 * processor, and what streams or waits for a provider counts for nothing.
 */
export class RequestQueue {
  readonly #nowMs: () => number;
  readonly #cpuMs: () => number;
  readonly #line: (() => void)[] = [];
  /** The first that still waits in `#line`. */
  #next = 0;
  /** When the first request of this turn came, and when its first step began. */
  #turnStartedMs: number | null = null;
  #stepsStartedMs = 0;
  /** Which turn the last step was of, and how many are to come. */
  #turn = 0;
  #steps = 0;
  #connectionsWaitUntilMs = 0;
  /** What a request takes of this thread from one to the next, with all that is done for those before; and when the last began. */
  #requestCpuMs = 0;
  #beganCpuMs: number | null = null;
  #refused = 0;

  constructor(nowMs: () => number = () => performance.now(), cpuMs: () => number = readThreadCpuMs) {
    this.#nowMs = nowMs;
    this.#cpuMs = cpuMs;
  }

  /** How many it has refused. */
  get refused(): number {
    return this.#refused;
  }

  /** How many are in the line. */
  get waiting(): number {
    return this.#line.length - this.#next;
  }

  /** Connections wait for this worker to take them. */
  noteConnectionsWaiting(): void {
    this.#connectionsWaitUntilMs = this.#nowMs() + connectionsWaitMs;
  }

  /** Begins a request by `serve`, now or in a later turn; false when it has to be refused. */
  enter(serve: () => void): boolean {
    const now = this.#nowMs();
    this.#turnStartedMs ??= now;
    if (this.waiting === 0 && now - this.#turnStartedMs <= this.#findSliceMs(now)) serve();
    else if (this.waiting * this.#requestCpuMs > lineMaxMs) {
      this.#refused++;
      return false;
    } else this.#line.push(serve);
    this.#scheduleSteps();
    return true;
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
    if (now - this.#stepsStartedMs <= this.#findSliceMs(now)) this.#beginFirst();
    const isEmpty = this.waiting === 0;
    if (isEmpty || this.#next >= compactedAt) {
      this.#line.splice(0, this.#next);
      this.#next = 0;
    }
    if (isEmpty) this.#beganCpuMs = null;
    else this.#scheduleSteps();
  };

  #beginFirst(): void {
    const serve = this.#line[this.#next];
    if (!serve) return;
    this.#next++;
    const cpuMs = this.#cpuMs();
    if (this.#beganCpuMs !== null) {
      const tookMs = Math.min(cpuMs - this.#beganCpuMs, countedMaxMs);
      this.#requestCpuMs += newestShare * (tookMs - this.#requestCpuMs);
    }
    this.#beganCpuMs = cpuMs;
    serve();
  }
}
