import { useRef, useState } from 'react';
import { type BulkAction, type BulkFailure, runBulk } from './selection-bar.tsx';
import type { Selection } from './use-table-state.ts';

interface BulkProgress {
  name: string;
  finished: number;
  total: number;
}

/** Runs an act over the selection; what it was done to leaves the selection, what failed or was not begun stays. */
export function useBulk<Row>(selection: Selection<Row>) {
  const [progress, setProgress] = useState<BulkProgress | null>(null);
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
