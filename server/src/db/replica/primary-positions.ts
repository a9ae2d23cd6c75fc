import type { WalPosition } from './wal-position.ts';

/** Maximum number of samples. They cover at least half an hour at the default probe interval. */
const samplesMax = 1_000;

/**
 * Write positions of the primary with the times at which they were read. The positions reveal the age of a replica's
 * data without a heartbeat and without comparing clocks, even while nothing is written.
 */
export class PrimaryPositions {
  #samples: { atMs: number; readonly position: WalPosition }[] = [];

  /** Records a position that the primary reported after `atMs`. */
  note(atMs: number, position: WalPosition): void {
    const last = this.#samples.at(-1);
    // After a failover, the new primary may continue from an earlier position.
    if (last && position < last.position) this.#samples = [];
    if (last?.position === position) last.atMs = atMs;
    else this.#samples.push({ atMs, position });
    if (this.#samples.length > samplesMax) this.#samples.shift();
  }

  /**
   * Returns a time up to which a server at this position has all changes; `null` if the time is before the first
   * sample.
   */
  reachedAt(position: WalPosition): number | null {
    return this.#samples.findLast((sample) => sample.position <= position)?.atMs ?? null;
  }

  /** Returns the newest position read before `atMs`; `null` if no position was read before. */
  before(atMs: number): WalPosition | null {
    return this.#samples.findLast((sample) => sample.atMs <= atMs)?.position ?? null;
  }
}
