import { Fragment, type ReactNode, type RefObject } from 'react';
import { type MeasuredRow, useDrawnRows } from './use-drawn-rows.ts';

interface LongRowsProps {
  body: RefObject<HTMLElement | null>;
  rows: readonly MeasuredRow[];
  activeIndex: number;
  /** Another value when other rows are expanded. */
  expanded: unknown;
  columnCount: number;
  drawRow: (index: number, noteDetailHeight: (id: string, heightPx: number) => void) => ReactNode;
}

/** Of many rows those in sight, the active one, and as much empty space as the others would take. */
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
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: no control is in it, it only keeps the place of rows not drawn
    <tr aria-hidden="true">
      <td colSpan={columnCount} style={{ height: heightPx, padding: 0, border: 0 }} />
    </tr>
  );
}
