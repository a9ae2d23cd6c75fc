import { existsSync } from 'node:fs';
import { rename, unlink } from 'node:fs/promises';
import type { Frame, StoredSettled } from '#gateway/journal/frame.ts';
import type { AdmittedRecord, OnProblem, SettledRecord } from '#gateway/journal/record.ts';
import {
  listSegments,
  readSegment,
  type SegmentEnding,
  type SegmentFile,
} from '#gateway/journal/segment-file.ts';

const maxBatchRows = 500;
const maxBatchBytes = 4 * 1024 * 1024;

export interface ReplayOptions<Admitted extends object, Settled extends object> {
  dir: string;
  /** Both must be idempotent by id and keep a row that exists: what was shipped before may come again. */
  shipSettled: (batch: SettledRecord<Settled>[]) => Promise<void>;
  /** Gets the admitted requests that have no settled record left in the folder. */
  shipInterrupted: (batch: AdmittedRecord<Admitted>[]) => Promise<void>;
  onProblem: OnProblem;
}

/** Rows handed over, and files that could not be read to their end. */
export interface ReplayCounts {
  settled: number;
  interrupted: number;
  problems: number;
}

interface Placed<Record> {
  record: Record;
  bytes: number;
}

/**
 * Ships what a dead process left in its folder, then deletes the files; a damaged one is kept aside for the operator.
 * When shipping or reading fails it rejects and has deleted nothing, so calling again repeats the whole.
 */
export async function replayJournal<Admitted extends object, Settled extends object>({
  dir,
  shipSettled,
  shipInterrupted,
  onProblem,
}: ReplayOptions<Admitted, Settled>): Promise<ReplayCounts> {
  const files = existsSync(dir) ? listSegments(dir) : [];
  const openIds = new Set<string>();
  const endings = new Map<SegmentFile, SegmentEnding>();
  const settled = await shipInBatches(
    pickSettled(readSegments<Admitted, Settled>(files, endings), openIds),
    shipSettled,
  );
  const interrupted =
    openIds.size === 0
      ? 0
      : await shipInBatches(pickOpen(readSegments<Admitted, Settled>(files), openIds), shipInterrupted);
  const problems = await removeFiles(endings, onProblem);
  return { settled, interrupted, problems };
}

async function* readSegments<Admitted extends object, Settled extends object>(
  files: SegmentFile[],
  endings = new Map<SegmentFile, SegmentEnding>(),
): AsyncGenerator<Frame<Admitted, Settled>> {
  for (const file of files) endings.set(file, yield* readSegment<Admitted, Settled>(file));
}

/** Yields the settled records and leaves in `openIds` the admitted requests without one. */
async function* pickSettled<Admitted extends object, Settled extends object>(
  frames: AsyncIterable<Frame<Admitted, Settled>>,
  openIds: Set<string>,
): AsyncGenerator<Placed<StoredSettled<Settled>>> {
  for await (const { record, bytes } of frames) {
    if (record.kind === 'admitted') openIds.add(record.id);
    else {
      openIds.delete(record.id);
      yield { record, bytes };
    }
  }
}

async function* pickOpen<Admitted extends object, Settled extends object>(
  frames: AsyncIterable<Frame<Admitted, Settled>>,
  openIds: Set<string>,
): AsyncGenerator<Placed<AdmittedRecord<Admitted>>> {
  for await (const { record, bytes } of frames) {
    if (record.kind === 'admitted' && openIds.delete(record.id)) yield { record, bytes };
  }
}

async function shipInBatches<Record>(
  source: AsyncIterable<Placed<Record>>,
  ship: (batch: Record[]) => Promise<void>,
): Promise<number> {
  let batch: Record[] = [];
  let batchBytes = 0;
  let shippedRows = 0;
  for await (const { record, bytes } of source) {
    batch.push(record);
    batchBytes += bytes;
    if (batch.length < maxBatchRows && batchBytes < maxBatchBytes) continue;
    await ship(batch);
    shippedRows += batch.length;
    batch = [];
    batchBytes = 0;
  }
  if (batch.length > 0) await ship(batch);
  return shippedRows + batch.length;
}

/** Oldest first, so that a crash in between leaves no admitted record whose settled one is gone. */
async function removeFiles(endings: Map<SegmentFile, SegmentEnding>, onProblem: OnProblem): Promise<number> {
  let problems = 0;
  for (const [{ path }, ending] of endings) {
    if (ending === 'damaged') await rename(path, `${path}.${Date.now()}.damaged`);
    else await unlink(path);
    if (ending === 'end') continue;
    problems++;
    onProblem({ kind: ending === 'damaged' ? 'segment-damaged' : 'segment-torn', path });
  }
  return problems;
}
