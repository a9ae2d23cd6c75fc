import { messageOf } from '../../lib/message-of.ts';

export interface BulkFailure<Row> {
  row: Row;
  message: string;
}

export interface BulkOutcome<Row> {
  done: readonly Row[];
  failures: readonly BulkFailure<Row>[];
}

interface BulkOptions {
  /** Called after each row, with the number of rows dealt with. */
  onProgress?: (finishedCount: number) => void;
  /** Ends it after the rows in flight; the rest is neither done nor failed. */
  signal?: AbortSignal;
  concurrency?: number;
}

/** Does one thing to many rows, a few at a time; what fails for one row does not stop the others. */
export async function runBulk<Row>(
  rows: readonly Row[],
  run: (row: Row) => Promise<unknown>,
  { onProgress, signal, concurrency = 4 }: BulkOptions = {},
): Promise<BulkOutcome<Row>> {
  const done: Row[] = [];
  const failures: BulkFailure<Row>[] = [];
  const queue = rows.values();

  const work = async () => {
    for (const row of queue) {
      try {
        await run(row);
        done.push(row);
      } catch (error) {
        failures.push({ row, message: messageOf(error) });
      }
      onProgress?.(done.length + failures.length);
      if (signal?.aborted) return;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return { done, failures };
}
