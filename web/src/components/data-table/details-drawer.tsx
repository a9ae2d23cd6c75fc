import { useFocusTrap, useMediaQuery, useMergedRef } from '@mantine/hooks';
import type { RowData } from '@tanstack/react-table';
import { ChevronDown, ChevronUp, MoveHorizontal, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import styles from './details-drawer.module.css';
import { DrawerButton } from './drawer-button.tsx';
import { ResizeHandle } from './resize-handle.tsx';
import type { DataTableModel } from './use-data-table.ts';
import { useDrawerKeys } from './use-drawer-keys.ts';
import { useDrawerWidth } from './use-drawer-width.ts';

interface DetailsDrawerProps<Row extends RowData> {
  model: DataTableModel<Row>;
  /** Title: `Log Details`. */
  label: string;
  heading: ReactNode;
  children: ReactNode;
}

/**
 * Details of the row named in the URL, next to the list, which stays usable: `j` and `k` show the next and previous
 * row, Escape closes. On a phone it covers the page.
 */
export function DetailsDrawer<Row extends RowData>({
  model,
  label,
  heading,
  children,
}: DetailsDrawerProps<Row>) {
  const drawer = useRef<HTMLElement>(null);
  const isCovering = useMediaQuery('(width < 48rem)') ?? false;
  const trap = useFocusTrap(isCovering);
  const place = useMergedRef(drawer, trap);
  const width = useDrawerWidth();
  const { openId, hasPrevious, hasNext, ...moves } = useNeighbours(model);
  const { close, showPrevious, showNext } = moves;
  useDrawerKeys(drawer, moves);
  useFocusOnOpening(drawer, openId);

  return (
    <aside
      ref={place}
      role="dialog"
      aria-label={label}
      aria-modal={isCovering || undefined}
      className={styles.drawer}
      style={{ inlineSize: isCovering ? undefined : width.px }}
      tabIndex={-1}
    >
      {!isCovering && <ResizeHandle width={width} />}
      <div className={styles.head}>
        <div className={styles.heading}>{heading}</div>
        <DrawerButton name="Previous" icon={ChevronUp} isDisabled={!hasPrevious} onClick={showPrevious} />
        <DrawerButton name="Next" icon={ChevronDown} isDisabled={!hasNext} onClick={showNext} />
        {!isCovering && <DrawerButton name="Change width" icon={MoveHorizontal} onClick={width.toggle} />}
        <DrawerButton name="Close" icon={X} onClick={close} />
      </div>
      {children}
    </aside>
  );
}

/** Returns the row named in the URL and its neighbors in the list. */
function useNeighbours<Row extends RowData>({ rows = [], state }: DataTableModel<Row>) {
  const openId = String(state.search.open);
  const index = rows.findIndex(({ id }) => id === openId);
  const show = (neighbour: number) => {
    const row = index === -1 ? undefined : rows[neighbour];
    if (row) state.change({ open: row.id });
  };
  return {
    openId,
    hasPrevious: index > 0,
    hasNext: index !== -1 && index < rows.length - 1,
    close: () => state.change({ open: undefined }),
    showPrevious: () => show(index - 1),
    showNext: () => show(index + 1),
  };
}

/** The drawer has the focus once it opens; when it closes, the row that it showed last. */
function useFocusOnOpening(drawer: { current: HTMLElement | null }, openId: string) {
  const lastId = useRef(openId);
  useEffect(() => {
    lastId.current = openId;
  }, [openId]);
  useEffect(() => {
    drawer.current?.focus({ preventScroll: true });
    return () => {
      const row = document.querySelector<HTMLElement>(`tr[data-row="${CSS.escape(lastId.current)}"]`);
      row?.focus({ preventScroll: true });
    };
  }, [drawer]);
}
