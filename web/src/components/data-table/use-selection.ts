import { useMemo, useState } from 'react';
import { useStable } from './use-stable.ts';

/** The rows ticked, also those that are on another page or that the filter hides. */
export interface Selection<Row> {
  rows: readonly Row[];
  /** By key, as the table library has it. */
  ids: Record<string, true>;
  /** Ticks these of the rows at hand, and of those ticked before. */
  choose: (ids: Record<string, boolean>) => void;
  /** Ticks exactly these, at hand or not. */
  replace: (rows: readonly Row[]) => void;
}

export function useSelection<Row>(
  rowsAtHand: readonly Row[],
  rowKey: (row: Row) => string | number,
): Selection<Row> {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Row>>(new Map());
  const byKey = (rows: readonly Row[]) => new Map(rows.map((row) => [String(rowKey(row)), row]));

  const replace = useStable((rows: readonly Row[]) => setChosen(byKey(rows)));
  const choose = useStable((ids: Record<string, boolean>) => {
    const known = byKey(rowsAtHand);
    const rows = Object.keys(ids).map((id) => known.get(id) ?? chosen.get(id));
    replace(rows.filter((row) => row !== undefined));
  });
  return useMemo(() => {
    const ids = Object.fromEntries([...chosen.keys()].map((id) => [id, true as const]));
    return { rows: [...chosen.values()], ids, choose, replace };
  }, [chosen, choose, replace]);
}
