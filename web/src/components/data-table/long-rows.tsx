import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  Fragment,
  type ReactNode,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useStable } from './use-stable.ts';

const overscanRows = 6;
const usualRowHeightPx = 36;

export interface MeasuredRow {
  readonly id: string;
  getIsExpanded: () => boolean;
}

interface DrawnRow {
  index: number;
  /** Height of the space that replaces the omitted rows before the row. */
  spaceBeforePx: number;
}

interface DrawnRows {
  drawn: readonly DrawnRow[];
  spaceAfterPx: number;
  /** Records the measured height of the details below a row. */
  noteDetailHeight: (id: string, heightPx: number) => void;
}

/**
 * Returns the rows of a long list to render. The active row is always included, because it has the focus. `expanded`
 * must change identity when other rows are expanded.
 */
export function useDrawnRows(
  body: RefObject<HTMLElement | null>,
  rows: readonly MeasuredRow[],
  activeIndex: number,
  expanded: unknown,
): DrawnRows {
  const { rowHeightPx, topPx } = useRowPlace(body);
  const detailHeightsPx = useRef(new Map<string, number>());
  // The virtualizer measures all rows again when the function changes.
  const estimateSize = useCallback(
    (index: number) => {
      const row = rows[index];
      const detailHeightPx = row && detailHeightsPx.current.get(row.id);
      return rowHeightPx + (detailHeightPx !== undefined && row?.getIsExpanded() ? detailHeightPx : 0);
    },
    [rows, rowHeightPx],
  );
  const getItemKey = useCallback((index: number) => rows[index]?.id ?? index, [rows]);

  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize,
    getItemKey,
    overscan: overscanRows,
    scrollMargin: topPx,
    rangeExtractor: (range) => withActive(range, activeIndex),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows' heights depend on these
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, estimateSize, expanded]);

  const noteDetailHeight = useStable((id: string, heightPx: number) => {
    if (detailHeightsPx.current.get(id) === heightPx) return;
    detailHeightsPx.current.set(id, heightPx);
    virtualizer.measure();
  });

  let endPx = topPx;
  const drawn = virtualizer.getVirtualItems().map(({ index, start, end }) => {
    const spaceBeforePx = start - endPx;
    endPx = end;
    return { index, spaceBeforePx };
  });
  return { drawn, spaceAfterPx: virtualizer.getTotalSize() + topPx - endPx, noteDetailHeight };
}

function withActive(range: Range, activeIndex: number): number[] {
  const indexes = defaultRangeExtractor(range);
  return indexes.includes(activeIndex)
    ? indexes
    : [...indexes, activeIndex].toSorted((left, right) => left - right);
}

/** Measures the first row and the position of the list on the page. */
function useRowPlace(body: RefObject<HTMLElement | null>) {
  const [place, setPlace] = useState({ rowHeightPx: usualRowHeightPx, topPx: 0 });
  useLayoutEffect(() => {
    const element = body.current;
    if (element === null) return;
    const measure = () => {
      const row = element.querySelector('tr[data-row]');
      const rowHeightPx = row?.getBoundingClientRect().height ?? usualRowHeightPx;
      const topPx = Math.round(element.getBoundingClientRect().top + window.scrollY);
      setPlace((before) =>
        before.rowHeightPx === rowHeightPx && before.topPx === topPx ? before : { rowHeightPx, topPx },
      );
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [body]);
  return place;
}

interface LongRowsProps {
  body: RefObject<HTMLElement | null>;
  rows: readonly MeasuredRow[];
  activeIndex: number;
  /** Must change identity when other rows are expanded. */
  expanded: unknown;
  columnCount: number;
  drawRow: (index: number, noteDetailHeight: (id: string, heightPx: number) => void) => ReactNode;
}

/** Renders the visible rows and the active row. Empty space replaces the omitted rows. */
export function LongRows({ body, rows, activeIndex, expanded, columnCount, drawRow }: LongRowsProps) {
  const { drawn, spaceAfterPx, noteDetailHeight } = useDrawnRows(body, rows, activeIndex, expanded);
  return (
    <>
      {drawn.map(({ index, spaceBeforePx }) => (
        <Fragment key={rows[index]?.id}>
          <Space heightPx={spaceBeforePx} columnCount={columnCount} />
          {drawRow(index, noteDetailHeight)}
        </Fragment>
      ))}
      <Space heightPx={spaceAfterPx} columnCount={columnCount} />
    </>
  );
}

function Space({ heightPx, columnCount }: { heightPx: number; columnCount: number }) {
  if (heightPx <= 0) return null;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: the row has no controls and only fills the space of other rows
    <tr aria-hidden="true">
      <td colSpan={columnCount} style={{ height: heightPx, padding: 0, border: 0 }} />
    </tr>
  );
}
