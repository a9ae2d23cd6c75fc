import { type ReactNode, type RefCallback, useCallback, useState } from 'react';

export interface Column<Row> {
  name: string;
  /** A CSS length; columns without one share what is left. */
  width?: string;
  align?: 'end';
  /** The width of the table from which the column is shown; always when absent. */
  showFrom?: keyof typeof widthsPx;
  cell: (row: Row) => ReactNode;
}

const widthsPx = { medium: 700, wide: 1000 };

/** The columns that the measured element has room for. */
export function useVisibleColumns<Row>(
  columns: readonly Column<Row>[],
): [readonly Column<Row>[], RefCallback<HTMLElement>] {
  const [widthPx, setWidthPx] = useState(0);
  const measure = useCallback((element: HTMLElement) => {
    setWidthPx(element.clientWidth);
    const observer = new ResizeObserver(() => setWidthPx(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [columns.filter(({ showFrom }) => showFrom === undefined || widthPx >= widthsPx[showFrom]), measure];
}
