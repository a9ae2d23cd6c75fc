/** Time per event-loop turn for starting requests. Responses, probes and new connections are handled afterwards. */
const sliceMs = 5;
/** Each turn starts only one request while connections wait, since a worker accepts one connection per turn. */
const shortSliceMs = 0;
const connectionsWaitMs = 100;
const stepsMax = 64;
/** Maximum estimated work ahead of a request. Requests with more work ahead are rejected. */
const lineMaxMs = 500;
/** Weight of the newest request in the average CPU time. */
const newestShare = 1 / 64;
/** Maximum CPU time counted for one request, so that a garbage collection pause is not mistaken for an overload. */
const countedMaxMs = 50;
const compactedAt = 256;

function readThreadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/**
 * Queue of unread requests, used when this worker has more work than fits into one event-loop turn. The queue keeps
 * turns short and rejects requests that would wait too long. The wait is estimated from the average CPU time per
 * request, so time spent in other processes, on streaming and on waiting for providers does not count.
 */
export class RequestQueue {
  readonly #nowMs: () => number;
  readonly #cpuMs: () => number;
  readonly #line: (() => void)[] = [];
  #next = 0;
  #turnStartedMs: number | null = null;
  #stepsStartedMs = 0;
  #turn = 0;
  #steps = 0;
  #connectionsWaitUntilMs = 0;
  #requestCpuMs = 0;
  #beganCpuMs: number | null = null;
  #refused = 0;

  constructor(nowMs: () => number = () => performance.now(), cpuMs: () => number = readThreadCpuMs) {
    this.#nowMs = nowMs;
    this.#cpuMs = cpuMs;
  }

  get refused(): number {
    return this.#refused;
  }

  get waiting(): number {
    return this.#line.length - this.#next;
  }

  noteConnectionsWaiting(): void {
    this.#connectionsWaitUntilMs = this.#nowMs() + connectionsWaitMs;
  }

  /** Starts a request now or in a later turn. Returns `false` if the request must be rejected. */
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

  /**
   * Schedules one step per waiting request, at most `stepsMax`, since a step starts one request and the request's
   * microtasks run before the next step. At least one step is scheduled, to end the turn.
   */
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
