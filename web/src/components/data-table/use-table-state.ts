import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import type { z } from 'zod';
import { type TableSearch, type tableSearch, withFirstPage } from './table-search.ts';
import { useStable } from './use-stable.ts';

/** Includes filter, sort order, page and open row. */
export interface TableState<Search extends TableSearch = TableSearch> {
  search: Search;
  /** Applies changes. If `isTyping`, the current history entry is replaced. */
  change: (changes: Partial<Search>, options?: { isTyping?: boolean }) => void;
}

/** The state is stored in the URL, so that history, links and reloads restore the list. */
export function useTableState<Schema extends typeof tableSearch>(
  schema: Schema,
): TableState<z.output<Schema>> {
  const parameters = useSearch({ strict: false });
  const search = useMemo(() => schema.parse(parameters), [schema, parameters]);
  const navigate = useNavigate();
  const change = useCallback<TableState<z.output<Schema>>['change']>(
    (changes, { isTyping = false } = {}) => {
      void navigate({
        to: '.',
        search: (previous) => ({ ...previous, ...withFirstPage(changes) }),
        replace: isTyping,
        resetScroll: 'page' in changes || 'cursor' in changes,
      });
    },
    [navigate],
  );
  return useMemo(() => ({ search, change }), [search, change]);
}

/** The state is stored in memory, for small lists. */
export function useLocalTableState(): TableState {
  const [search, setSearch] = useState<TableSearch>({});
  const change = useCallback<TableState['change']>(
    (changes) => setSearch((previous) => ({ ...previous, ...withFirstPage(changes) })),
    [],
  );
  return useMemo(() => ({ search, change }), [search, change]);
}

/** Includes rows on other pages and rows hidden by the filter. */
export interface Selection<Row> {
  rows: readonly Row[];
  /** Rows by key, in the format of the table library. */
  ids: Record<string, true>;
  /** Sets the selection of the loaded rows. The selection of other rows does not change. */
  choose: (ids: Record<string, boolean>) => void;
  /** Selects exactly the given rows. Rows need not be loaded. */
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
