import { useCallback, useMemo, useState } from 'react';

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
  const replace = useCallback(
    (rows: readonly Row[]) => setChosen(new Map(rows.map((row) => [String(rowKey(row)), row]))),
    [rowKey],
  );
  const choose = useCallback(
    (ids: Record<string, boolean>) => {
      const known = new Map(rowsAtHand.map((row) => [String(rowKey(row)), row]));
      setChosen(
        (before) =>
          new Map(
            Object.keys(ids).flatMap((id) => {
              const row = known.get(id) ?? before.get(id);
              return row === undefined ? [] : [[id, row] as const];
            }),
          ),
      );
    },
    [rowsAtHand, rowKey],
  );
  return useMemo(() => {
    const ids = Object.fromEntries([...chosen.keys()].map((id) => [id, true as const]));
    return { rows: [...chosen.values()], ids, choose, replace };
  }, [chosen, choose, replace]);
}
