import { useEffect } from 'react';
import type { TableSearch } from './table-search.ts';
import type { TableState } from './use-table-state.ts';

/** Opens the dialog that a link requests in the search parameter `add`, and removes the parameter. */
export function useAddParameter<Kind extends string>(
  { search: { add }, change }: TableState<TableSearch & { add?: Kind | undefined }>,
  open: (kind: Kind) => void,
): void {
  useEffect(() => {
    if (add === undefined) return;
    open(add);
    change({ add: undefined }, { isTyping: true });
  }, [add, open, change]);
}
