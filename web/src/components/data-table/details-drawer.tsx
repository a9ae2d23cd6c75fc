import { useFocusTrap, useLocalStorage, useMediaQuery, useMergedRef } from '@mantine/hooks';
import type { RowData } from '@tanstack/react-table';
import { ChevronDown, ChevronUp, type LucideIcon, MoveHorizontal, X } from 'lucide-react';
import {
  type PointerEvent,
  type KeyboardEvent as ReactKeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
} from 'react';
import styles from './details-drawer.module.css';
import { isKeyForList } from './row-keys.ts';
import type { DataTableModel } from './use-data-table.ts';
import { useStable } from './use-stable.ts';

const stepPx = 16;

function ResizeHandle({ width }: { width: DrawerWidth }) {
  const drag = (event: PointerEvent) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) width.set(window.innerWidth - event.clientX);
  };
  const moveByKey = (event: ReactKeyboardEvent) => {
    const targets: Record<string, number> = {
      ArrowLeft: width.px + stepPx,
      ArrowRight: width.px - stepPx,
      Home: drawerWidthsPx.min,
      End: drawerWidthsPx.max,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    width.set(target);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: an hr cannot be moved, a separator with a value can
    <div
      role="separator"
      aria-label="Width of the details"
      aria-orientation="vertical"
      aria-valuemin={drawerWidthsPx.min}
      aria-valuemax={drawerWidthsPx.max}
      aria-valuenow={width.px}
      tabIndex={0}
      className={styles.handle}
      onKeyDown={moveByKey}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
    />
  );
}

const drawerWidthsPx = { min: 480, usual: 520, max: 720 };

interface DrawerWidth {
  px: number;
  set: (widthPx: number) => void;
  toggle: () => void;
}

function useDrawerWidth(): DrawerWidth {
  const [stored, setStored] = useLocalStorage({
    key: 'sluice-drawer-width',
    defaultValue: drawerWidthsPx.usual,
    getInitialValueInEffect: false,
    serialize: String,
    deserialize: (text) => clamp(Number(text) || drawerWidthsPx.usual),
  });
  return {
    px: stored,
    set: (widthPx) => setStored(clamp(widthPx)),
    toggle: () => setStored(stored < drawerWidthsPx.max ? drawerWidthsPx.max : drawerWidthsPx.min),
  };
}

function clamp(widthPx: number): number {
  return Math.round(Math.min(Math.max(widthPx, drawerWidthsPx.min), drawerWidthsPx.max));
}

interface DetailsDrawerProps<Row extends RowData> {
  model: DataTableModel<Row>;
  label: string;
  heading: ReactNode;
  children: ReactNode;
}

/**
 * The list next to the drawer remains usable: `j` and `k` show the next and previous row, Escape closes the drawer.
 * On phones, the drawer covers the page.
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
  const { openId, hasPrevious, hasNext, ...moves } = useNeighbors(model);
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
        {/* Initial focus on phones. The focus trap would otherwise start with a button that may be disabled. */}
        <div className={styles.heading} tabIndex={-1} data-autofocus>
          {heading}
        </div>
        <DrawerButton name="Previous" icon={ChevronUp} isDisabled={!hasPrevious} onClick={showPrevious} />
        <DrawerButton name="Next" icon={ChevronDown} isDisabled={!hasNext} onClick={showNext} />
        {!isCovering && <DrawerButton name="Change width" icon={MoveHorizontal} onClick={width.toggle} />}
        <DrawerButton name="Close" icon={X} onClick={close} />
      </div>
      {children}
    </aside>
  );
}

function useNeighbors<Row extends RowData>({ rows = [], state }: DataTableModel<Row>) {
  const openId = String(state.search.open);
  const index = rows.findIndex(({ id }) => id === openId);
  const show = (neighbor: number) => {
    const row = index === -1 ? undefined : rows[neighbor];
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

/** When the drawer closes, the focus moves to the last shown row. */
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

interface DrawerButtonProps {
  name: string;
  icon: LucideIcon;
  isDisabled?: boolean;
  onClick: () => void;
}

function DrawerButton({ name, icon: Icon, isDisabled = false, onClick }: DrawerButtonProps) {
  return (
    <button
      type="button"
      className={styles.button}
      aria-label={name}
      title={name}
      aria-disabled={isDisabled}
      onClick={() => !isDisabled && onClick()}
    >
      <Icon size={16} strokeWidth={1.5} aria-hidden />
    </button>
  );
}

interface DrawerActions {
  close: () => void;
  showPrevious: () => void;
  showNext: () => void;
}

/**
 * Closes the drawer on Escape unless another element handles the key. `j` and `k` are handled only inside the drawer,
 * because the list handles them outside.
 */
function useDrawerKeys(drawer: RefObject<HTMLElement | null>, actions: DrawerActions): void {
  const handle = useStable((event: KeyboardEvent) => {
    const { target } = event;
    if (!(target instanceof Element)) return;
    const isInside = drawer.current?.contains(target) ?? false;
    const isOnPage = target.closest('[role="dialog"], [role="menu"], [role="listbox"]') === null;
    if (event.key === 'Escape' && !event.defaultPrevented && (isInside || isOnPage)) actions.close();
    if (!isInside || !isKeyForList(event)) return;
    if (event.key === 'j') actions.showNext();
    if (event.key === 'k') actions.showPrevious();
  });

  useEffect(() => {
    document.addEventListener('keydown', handle);
    return () => document.removeEventListener('keydown', handle);
  }, [handle]);
}
