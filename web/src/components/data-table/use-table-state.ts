import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import type { z } from 'zod';
import { type TableSearch, type tableSearch, withFirstPage } from './table-search.ts';

/** State of a list (filter, sort, page, open row), and the setter for it. */
export interface TableState<Search extends TableSearch = TableSearch> {
  search: Search;
  /** `isTyping` replaces the step in the history instead of adding one. */
  change: (changes: Partial<Search>, options?: { isTyping?: boolean }) => void;
}

/** A list's state in the page's address, where back and forward, links and reloads find it. */
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

/** A small list's state, kept as long as it is on the screen. */
export function useLocalTableState(): TableState {
  const [search, setSearch] = useState<TableSearch>({});
  const change = useCallback<TableState['change']>(
    (changes) => setSearch((previous) => ({ ...previous, ...withFirstPage(changes) })),
    [],
  );
  return useMemo(() => ({ search, change }), [search, change]);
}
