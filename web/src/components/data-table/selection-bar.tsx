import { Button, CloseButton } from '@mantine/core';
import type { RowData } from '@tanstack/react-table';
import { useRef, useState } from 'react';
import { messageOf } from '#lib/describe-failure.ts';
import { formatCount } from '#lib/format-number.ts';
import { StatusMark } from '../ui/status-mark.tsx';
import styles from './selection-bar.module.css';
import type { DataTableModel } from './use-data-table.ts';
import type { Selection } from './use-table-state.ts';

interface SelectionBarProps<Row extends RowData> {
  model: DataTableModel<Row>;
  actions: readonly (BulkAction<Row> | SelectionAction<Row>)[];
  nameOf: (row: Row) => string;
  /** Set if the list contains only one page of the matching rows. */
  matching?: { count: number; load: () => Promise<readonly Row[]> };
}

export function SelectionBar<Row extends RowData>({
  model,
  actions,
  nameOf,
  matching,
}: SelectionBarProps<Row>) {
  const { selection } = model;
  const bulk = useBulk(selection);
  const count = selection.rows.length;
  if (count === 0 && bulk.failures.length === 0) return null;
  return (
    <section className={styles.bar} aria-label="Selected rows">
      <BulkFailures failures={bulk.failures} nameOf={nameOf} onDismiss={bulk.dismiss} />
      <div className={styles.line}>
        <p className="num" role="status">
          {bulk.progress
            ? `${bulk.progress.name}: ${formatCount(bulk.progress.finished)} of ${formatCount(bulk.progress.total)}`
            : `${formatCount(count)} selected`}
        </p>
        {bulk.progress ? (
          <BulkProgress {...bulk.progress} onStop={bulk.stop} />
        ) : (
          <>
            {matching && count < matching.count && (
              <Button variant="subtle" onClick={async () => selection.replace(await matching.load())}>
                Select all {formatCount(matching.count)} matching
              </Button>
            )}
            {actions.map((action) => (
              <Button
                key={action.name}
                variant="default"
                className={action.isDangerous ? styles.dangerous : undefined}
                disabled={count === 0}
                onClick={() => ('open' in action ? action.open(selection.rows) : bulk.start(action))}
              >
                {action.name}
              </Button>
            ))}
            <Button variant="subtle" disabled={count === 0} onClick={() => selection.replace([])}>
              Clear selection
            </Button>
          </>
        )}
      </div>
    </section>
  );
}

interface BulkProgressProps {
  name: string;
  finished: number;
  total: number;
  onStop: () => void;
}

function BulkProgress({ name, finished, total, onStop }: BulkProgressProps) {
  return (
    <>
      <progress value={finished} max={total} aria-label={name} />
      <Button variant="default" onClick={onStop}>
        Stop
      </Button>
    </>
  );
}

interface BulkFailuresProps<Row> {
  failures: readonly BulkFailure<Row>[];
  nameOf: (row: Row) => string;
  onDismiss: () => void;
}

/** The rows remain selected for a retry. */
function BulkFailures<Row>({ failures, nameOf, onDismiss }: BulkFailuresProps<Row>) {
  if (failures.length === 0) return null;
  return (
    <div role="alert" className={styles.failures}>
      <div className={styles.failuresHead}>
        <StatusMark kind="bad">{`${formatCount(failures.length)} failed and stay selected`}</StatusMark>
        <CloseButton aria-label="Dismiss" onClick={onDismiss} />
      </div>
      <ul>
        {failures.map(({ row, message }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two rows may have the same name, and the list never changes
          <li key={index}>
            {nameOf(row)}: {message}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface BulkFailure<Row> {
  row: Row;
  message: string;
}

export interface BulkOutcome<Row> {
  done: readonly Row[];
  failures: readonly BulkFailure<Row>[];
}

interface BulkOptions {
  /** Called after each row with the number of finished rows. */
  onProgress?: (finishedCount: number) => void;
  /** Aborting starts no further rows. Rows in progress still finish. */
  signal?: AbortSignal;
  concurrency?: number;
}

/** Processes several rows at a time. A failure does not stop the remaining rows. */
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

export interface SelectionAction<Row> {
  name: string;
  open: (rows: readonly Row[]) => void;
  isDangerous?: boolean;
}

interface BulkAction<Row> {
  name: string;
  run: (row: Row) => Promise<unknown>;
  isDangerous?: boolean;
  /** The action is canceled if the result is `false`. */
  confirm?: (rows: readonly Row[]) => Promise<boolean>;
  /** Called when the action has ended, to refetch the list. */
  onEnd?: () => void;
}

interface Progress {
  name: string;
  finished: number;
  total: number;
}

/** Rows that succeeded are deselected. Other rows remain selected. */
function useBulk<Row>(selection: Selection<Row>) {
  const [progress, setProgress] = useState<Progress | null>(null);
  const [failures, setFailures] = useState<readonly BulkFailure<Row>[]>([]);
  const stopper = useRef<AbortController>(null);

  const start = async ({ name, run, confirm, onEnd }: BulkAction<Row>) => {
    const { rows } = selection;
    if (confirm && !(await confirm(rows))) return;
    stopper.current = new AbortController();
    setFailures([]);
    setProgress({ name, finished: 0, total: rows.length });
    const outcome = await runBulk(rows, run, {
      signal: stopper.current.signal,
      onProgress: (finished) => setProgress({ name, finished, total: rows.length }),
    });
    const done = new Set(outcome.done);
    selection.replace(rows.filter((row) => !done.has(row)));
    setFailures(outcome.failures);
    setProgress(null);
    onEnd?.();
  };

  return { progress, failures, start, stop: () => stopper.current?.abort(), dismiss: () => setFailures([]) };
}
