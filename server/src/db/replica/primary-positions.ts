import type { WalPosition } from './wal-position.ts';

/** Number of samples in half an hour. The lag of a replica that is further behind is not measured. */
const samplesMax = 1_000;

/**
 * Write positions of the primary and the times when they were read. They show how old the data of a replica is,
 * without a heartbeat, without comparing the clocks of two servers, and also while nothing is written.
 */
export class PrimaryPositions {
  #samples: { atMs: number; readonly position: WalPosition }[] = [];

  /** Records a position that the primary reported after `atMs`. */
  note(atMs: number, position: WalPosition): void {
    const last = this.#samples.at(-1);
    // After a failover the new primary may continue from an earlier position.
    if (last && position < last.position) this.#samples = [];
    if (last?.position === position) last.atMs = atMs;
    else this.#samples.push({ atMs, position });
    if (this.#samples.length > samplesMax) this.#samples.shift();
  }

  /**
   * Returns a time up to which a server at this position has all changes; `null` if that time is before the first
   * sample.
   */
  reachedAt(position: WalPosition): number | null {
    return this.#samples.findLast((sample) => sample.position <= position)?.atMs ?? null;
  }

  /** Returns the newest position that was read before `atMs`. */
  before(atMs: number): WalPosition | null {
    return this.#samples.findLast((sample) => sample.atMs <= atMs)?.position ?? null;
  }
}
