import type { RowData } from '@tanstack/react-table';
import { type RefObject, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import type { ListViewProps } from './list-view-props.ts';
import { findTargetRow, isKeyForList } from './row-keys.ts';
import type { ListRow } from './use-data-table.ts';
import { useStable } from './use-stable.ts';

interface RowNavigation {
  /** The row that Tab reaches. */
  activeIndex: number;
  activate: (id: string) => void;
}

/** Walks, opens, expands and selects rows by keys. The active row has the focus and keeps it when rows come or go. */
export function useRowNavigation<Row extends RowData>(
  { model, onOpen, detail, isSelectable, isPage = true }: ListViewProps<Row>,
  body: RefObject<HTMLElement | null>,
): RowNavigation {
  const isExpandable = detail !== undefined;
  const rows = model.rows ?? [];
  const [activeId, setActiveId] = useState<string | null>(null);
  const foundIndex = activeId === null ? -1 : rows.findIndex(({ id }) => id === activeId);
  const activeIndex = Math.max(foundIndex, 0);

  const move = (index: number) => {
    const target = rows[index];
    if (target === undefined) return;
    flushSync(() => setActiveId(target.id));
    body.current?.querySelector<HTMLElement>(`tr[data-row="${CSS.escape(target.id)}"]`)?.focus();
    if (model.state.search.open !== undefined) onOpen?.(target.original);
  };

  const act = (event: KeyboardEvent, row: ListRow<Row>): boolean => {
    const isOnRow = event.target instanceof HTMLTableRowElement;
    if (isSelectable && event.key.toLowerCase() === 'x') select(row, event);
    else if (isExpandable && event.key === 'ArrowRight') row.toggleExpanded(true);
    else if (isExpandable && event.key === 'ArrowLeft') row.toggleExpanded(false);
    else if (onOpen && isOnRow && event.key === 'Enter') onOpen(row.original);
    else if (isExpandable && isOnRow && event.key === 'Enter') row.toggleExpanded();
    else return false;
    return true;
  };

  const handle = useStable((event: KeyboardEvent) => {
    const isHere = event.target instanceof Node && body.current?.contains(event.target);
    const isFirst = isPage && event.target === document.body && (event.key === 'j' || event.key === 'k');
    if (!(isHere || isFirst) || !isKeyForList(event)) return;
    const from = isFirst && foundIndex === -1 ? -1 : activeIndex;
    const target = findTargetRow(event.key, from, rows.length, countPageRows(body.current));
    const active = rows[activeIndex];
    if (target !== null) move(target);
    else if (!active || !act(event, active)) return;
    event.preventDefault();
  });

  useEffect(() => {
    document.addEventListener('keydown', handle);
    return () => document.removeEventListener('keydown', handle);
  }, [handle]);

  return { activeIndex, activate: setActiveId };
}

/** As a click on the row's box would, so that Shift reaches from the last one here too. */
function select<Row extends RowData>(row: ListRow<Row>, event: KeyboardEvent): void {
  row.getToggleSelectedHandler()({ target: { checked: !row.getIsSelected() }, nativeEvent: event });
}

function countPageRows(body: HTMLElement | null): number {
  const rowHeightPx = body?.querySelector('tr[data-row]')?.getBoundingClientRect().height ?? 36;
  return Math.max(1, Math.floor(window.innerHeight / rowHeightPx) - 4);
}
