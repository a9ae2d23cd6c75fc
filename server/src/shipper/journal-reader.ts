import { existsSync, renameSync, statSync, unlinkSync } from 'node:fs';
import { basename } from 'node:path';
import type { JournalRecord, OnProblem } from '#gateway/journal/frame.ts';
import { listSegments } from '#gateway/journal/segment-files.ts';
import { addsToAdmission, joinAdmission } from '#gateway/request-log/journal-record.ts';
import type { Position } from './journal-position.ts';
import { type ReadFrames, type ReadLimit, readFrames, readRecordAt } from './read-frames.ts';

/** `open` is the number of admissions whose settlement is not in the database yet. */
interface Segment {
  readonly sequence: number;
  readonly path: string;
  offset: number;
  open: number;
  isRead: boolean;
  isDamaged: boolean;
}

export interface SettledRecord extends JournalRecord {
  readonly position: Position;
}

export interface Batch {
  readonly settled: readonly SettledRecord[];
  readonly hasMore: boolean;
  /**
   * Marks the batch as stored, so that its files may be deleted. Without this call, the next read returns the same
   * batch.
   */
  readonly commit: () => void;
}

/** Unsettled admission: its position, and the record unless the kept records use too much memory. */
interface Open {
  readonly sequence: number;
  readonly offset: number;
  readonly bytes: number;
  readonly record: JournalRecord | null;
}

/** Maximum total size of admissions kept in memory, in bytes. Other admissions are read again when they are settled. */
const keptBytesMax = 32 * 1024 * 1024;

const defaultLimit: ReadLimit = { settledRows: 500, bytes: 4 * 1024 * 1024 };

/** Reads the segments of one run while they are being written, and deletes segments that are no longer needed. */
export class JournalReader {
  readonly dir: string;
  readonly #onProblem: OnProblem;
  readonly #limit: ReadLimit;
  readonly #segments = new Map<number, Segment>();
  readonly #open = new Map<string, Open>();
  #keptBytes = 0;
  #problemPaths = new Set<string>();

  constructor(dir: string, onProblem: OnProblem, limit = defaultLimit) {
    this.dir = dir;
    this.#limit = limit;
    this.#onProblem = onProblem;
  }

  get openIds(): string[] {
    return [...this.#open.keys()];
  }

  /** Returns the size of segment data not covered by a committed batch, in bytes; 0 if the run is complete. */
  measureUnread(): number {
    if (!existsSync(this.dir)) return 0;
    return listSegments(this.dir).reduce((sum, { sequence, path }) => {
      const { offset = 0, isRead = false } = this.#segments.get(sequence) ?? {};
      const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      return isRead ? sum : sum + Math.max(0, size - offset);
    }, 0);
  }

  /**
   * Returns `null` if nothing was added since the last committed batch. `isEnded` indicates that the run's writer has
   * exited.
   */
  read(isEnded: boolean): Batch | null {
    const files = listSegments(this.dir);
    for (const [index, { sequence, path }] of files.entries()) {
      const segment = this.#segments.getOrInsertComputed(sequence, () => newSegment(sequence, path));
      if (segment.isRead) continue;
      const frames = readFrames(path, segment.offset, this.#limit);
      const isLast = index === files.length - 1;
      const isRead = this.#isReadToItsEnd(segment, frames, isEnded || !isLast);
      if (frames.records.length === 0) {
        this.#advance(segment, frames, isRead);
        continue;
      }
      return {
        settled: this.#listSettled(sequence, frames),
        hasMore: frames.stop === 'limit' || !isLast,
        commit: () => this.#commit(segment, frames, isRead),
      };
    }
    return null;
  }

  /** Marks admissions as settled, so that their segments may be deleted. */
  resolve(ids: readonly string[]): void {
    for (const id of ids) {
      const open = this.#open.get(id);
      const segment = open && this.#segments.get(open.sequence);
      if (!segment) continue;
      this.#open.delete(id);
      if (open.record) this.#keptBytes -= open.bytes;
      segment.open--;
    }
  }

  /** Omits settlements without an admission, because an earlier reader has shipped them. */
  #listSettled(segment: number, { offsets, records }: ReadFrames): SettledRecord[] {
    const admitted = new Map<string, JournalRecord>();
    return records.flatMap((record, index) => {
      if (record.kind === 'admitted') {
        admitted.set(record.id, record);
        return [];
      }
      const position = { segment, offset: offsets[index] ?? 0 };
      if (!addsToAdmission(record)) return { ...record, position };
      const admission = admitted.get(record.id) ?? this.#readAdmission(record.id);
      return admission ? { ...joinAdmission(admission, record), position } : [];
    });
  }

  #readAdmission(id: string): JournalRecord | null {
    const open = this.#open.get(id);
    const segment = open && this.#segments.get(open.sequence);
    if (!segment) return null;
    const record = open.record ?? readRecordAt(segment.path, open.offset);
    if (!record) {
      // Report the record, because otherwise the missing request row would go unnoticed.
      segment.isDamaged = true;
      this.#reportOnce('segment-damaged', segment.path);
    }
    return record;
  }

  /** Call only for an ended run that has been read completely. */
  *readOpen(): Generator<JournalRecord[]> {
    const sequences = new Set([...this.#open.values()].map(({ sequence }) => sequence));
    for (const { path, sequence } of this.#segments.values()) {
      if (!sequences.has(sequence)) continue;
      let frames: ReadFrames = { records: [], offsets: [], nextOffset: 0, stop: 'limit' };
      while (frames.stop === 'limit') {
        frames = readFrames(path, frames.nextOffset, this.#limit);
        const open = frames.records.filter(({ kind, id }) => kind === 'admitted' && this.#open.has(id));
        const { settledRows } = this.#limit;
        for (let start = 0; start < open.length; start += settledRows)
          yield open.slice(start, start + settledRows);
      }
    }
  }

  /** Deletes segments without open admissions. Renames damaged segments, so that an operator can inspect them. */
  removeResolved(): void {
    for (const segment of this.#segments.values()) {
      if (segment.isRead && segment.open === 0) this.#remove(segment);
    }
  }

  #isReadToItsEnd({ path }: Segment, { stop }: ReadFrames, isSealed: boolean): boolean {
    if (stop === 'end' || stop === 'gone') return true;
    // Data that looks torn or damaged may still be being written.
    if (stop === 'limit' || !isSealed) return false;
    if (stop === 'torn' || stop === 'damaged') this.#reportOnce(`segment-${stop}`, path);
    return true;
  }

  #advance(segment: Segment, { nextOffset, stop }: ReadFrames, isRead: boolean): void {
    segment.offset = nextOffset;
    segment.isRead = isRead;
    segment.isDamaged ||= isRead && stop === 'damaged';
  }

  #commit(segment: Segment, frames: ReadFrames, isRead: boolean): void {
    this.#advance(segment, frames, isRead);
    for (const [index, record] of frames.records.entries()) {
      if (record.kind === 'settled') this.resolve([record.id]);
      else this.#open.set(record.id, this.#keep(record, segment, frames, index));
    }
    this.removeResolved();
  }

  #keep(record: JournalRecord, segment: Segment, { nextOffset, offsets }: ReadFrames, index: number): Open {
    const offset = offsets[index] ?? 0;
    const bytes = (offsets[index + 1] ?? nextOffset) - offset;
    const isKept = this.#keptBytes + bytes <= keptBytesMax;
    if (isKept) this.#keptBytes += bytes;
    segment.open++;
    return { sequence: segment.sequence, offset, bytes, record: isKept ? record : null };
  }

  #remove({ isDamaged, path, sequence }: Segment): void {
    try {
      const isGone = !existsSync(path);
      if (isDamaged && !isGone) renameSync(path, `${this.dir}-${basename(path)}.${Date.now()}.damaged`);
      else if (!isGone) unlinkSync(path);
      this.#segments.delete(sequence);
    } catch (error) {
      this.#reportOnce('remove-failed', path, error);
    }
  }

  #reportOnce(kind: 'segment-torn' | 'segment-damaged' | 'remove-failed', path: string, error?: unknown) {
    if (this.#problemPaths.has(path)) return;
    this.#problemPaths.add(path);
    this.#onProblem({ kind, path, ...(error !== undefined && { error }) });
  }
}

function newSegment(sequence: number, path: string): Segment {
  return { sequence, path, offset: 0, open: 0, isRead: false, isDamaged: false };
}
