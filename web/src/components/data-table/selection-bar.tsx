import { Button } from '@mantine/core';
import type { RowData } from '@tanstack/react-table';
import { formatCount } from '../../lib/format-number.ts';
import type { BulkAction } from './bulk-action.ts';
import { BulkFailures } from './bulk-failures.tsx';
import styles from './selection-bar.module.css';
import { useBulk } from './use-bulk.ts';
import type { DataTableModel } from './use-data-table.ts';

interface SelectionBarProps<Row extends RowData> {
  model: DataTableModel<Row>;
  actions: readonly BulkAction<Row>[];
  nameOf: (row: Row) => string;
  /** All rows that match, where the list holds only a page of them. */
  matching?: { count: number; load: () => Promise<readonly Row[]> };
}

/** Actions for the selected rows, with progress and the rows that failed. */
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
                onClick={() => bulk.start(action)}
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
