import { type CsvValue, foldText } from '@sluice/contract';
import type { RowData } from '@tanstack/react-table';
import type { ReactNode } from 'react';

/** List column: how its cells are rendered, sorted, searched and exported. */
export interface Column<Row> {
  /** Id in URLs. The default is the name in kebab case. */
  id?: string;
  name: string;
  cell: (row: Row) => ReactNode;
  /** Width in rem. Columns without a width share the remaining space. */
  width?: string;
  /**
   * Minimum width of a column without `width`. If the column would be narrower, other columns are hidden or the list
   * scrolls sideways.
   */
  minWidth?: string;
  align?: 'end';
  /** Minimum list width at which the column is shown. If absent, the column is always shown. */
  showFrom?: keyof typeof widthsPx;
  /** Returns the sort value, which makes the column sortable. Rows without a value come last. */
  sortBy?: (row: Row) => string | number | null;
  /** Returns plain text for exports and the filter. The default is `sortBy`. */
  csv?: (row: Row) => CsvValue;
  /** Whether users can hide the column. `false` for the column that identifies a row. */
  isHideable?: boolean;
  /** Whether the column is always first, regardless of the column order. */
  isPinned?: boolean;
  /** Whether the column is hidden by default. */
  isExtra?: boolean;
}

export type ListedColumn<Row> = Column<Row> & { readonly id: string };

const widthsPx = { medium: 700, wide: 960, full: 1100 };

/** Minimum width in pixels at which a list scrolls sideways. Narrower lists show each row in two lines. */
export const leastSidewaysPx = widthsPx.medium;

export function listColumns<Row>(columns: readonly Column<Row>[]): readonly ListedColumn<Row>[] {
  const listed = columns.map((column) => ({ ...column, id: column.id ?? toKebabCase(column.name) }));
  return [...listed.filter(({ isPinned }) => isPinned), ...listed.filter(({ isPinned }) => !isPinned)];
}

function hasRoom<Row>({ showFrom }: Column<Row>, listWidthPx: number): boolean {
  return showFrom === undefined || listWidthPx >= widthsPx[showFrom];
}

/**
 * Returns the columns that fit. Columns for wide lists are hidden first, then columns from the end. Columns that the
 * user added are hidden last.
 */
export function fitColumns<Row>(
  columns: readonly ListedColumn<Row>[],
  { widthPx, controlsPx }: { widthPx: number; controlsPx: number },
): readonly ListedColumn<Row>[] {
  const fitting = columns.filter((column) => hasRoom(column, widthPx));
  const neededPx = fitting.reduce((sum, column) => sum + columnPx(column, widthPx), controlsPx);
  if (neededPx <= widthPx) return fitting;
  const [least] = fitting
    .filter(({ width, isHideable }) => width !== undefined && isHideable !== false)
    .toReversed()
    .toSorted((one, other) => hidingRankOf(one) - hidingRankOf(other));
  return least
    ? fitColumns(
        fitting.filter((column) => column !== least),
        { widthPx, controlsPx },
      )
    : fitting;
}

/** Columns with a lower rank are hidden first. */
function hidingRankOf<Row>({ isExtra, showFrom }: Column<Row>): number {
  return (isExtra ? widthsPx.full : 0) - (showFrom ? widthsPx[showFrom] : 0);
}

function columnPx<Row>({ width, minWidth }: Column<Row>, listWidthPx: number): number {
  if (width?.endsWith('%')) return (Number.parseFloat(width) / 100) * listWidthPx;
  return Number.parseFloat(width ?? minWidth ?? leastNameWidth) * pxPerRem;
}

const leastNameWidth = '8rem';

export function widthNeededPx<Row>(columns: readonly Column<Row>[], controlCount: number): number {
  const widths = columns.map(({ width, minWidth }) => Number.parseFloat(width ?? minWidth ?? usualWidth));
  return widths.reduce((sum, rem) => sum + rem, controlCount * controlRem) * pxPerRem;
}

const usualWidth = '10rem';
export const controlRem = 2.5;
export const pxPerRem = 16;

/** Returns `undefined` for columns without text. */
export function plainText<Row>({ csv, sortBy }: Column<Row>): ((row: Row) => CsvValue) | undefined {
  return csv ?? sortBy;
}

export function searchRows<Row extends RowData>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  text: string,
): readonly Row[] {
  const texts = columns.map(plainText).filter((read) => read !== undefined);
  return findByText(rows, text, (row) => texts.map((read) => read(row)));
}

const toKebabCase = (name: string) => name.toLowerCase().replace(/[^a-z0-9]+/g, '-');

/** Ignores case and accents. An empty text matches all rows. */
export function findByText<Row>(
  rows: readonly Row[],
  text: string,
  textsOf: (row: Row) => readonly unknown[],
): readonly Row[] {
  const wanted = foldText(text.trim());
  if (wanted === '') return rows;
  const holdsIt = (value: unknown) => foldText(String(value ?? '')).includes(wanted);
  return rows.filter((row) => textsOf(row).some(holdsIt));
}
