import { type CsvValue, foldText } from '@sluice/contract';
import type { RowData } from '@tanstack/react-table';
import type { ReactNode } from 'react';

/** A column of a list: how it is rendered, sorted, searched and exported. */
export interface Column<Row> {
  /** Id in URLs. Default: the name in kebab case. */
  id?: string;
  name: string;
  cell: (row: Row) => ReactNode;
  /** Width in rem; columns without a width share the remaining space. */
  width?: string;
  /** Minimum width of a column without `width`; below it, other columns are hidden or the list scrolls sideways. */
  minWidth?: string;
  align?: 'end';
  /** Minimum width of the list for this column. Default: always shown. */
  showFrom?: keyof typeof widthsPx;
  /** Makes the column sortable; rows without a value are sorted last. */
  sortBy?: (row: Row) => string | number | null;
  /** Plain text for exports and the filter. Default: `sortBy`. */
  csv?: (row: Row) => CsvValue;
  /** Whether the column can be hidden; `false` for the column that identifies a row. */
  isHideable?: boolean;
  /** Whether the column is always first, regardless of the column order. */
  isPinned?: boolean;
  /** Whether the column is hidden by default. */
  isExtra?: boolean;
}

export type ListedColumn<Row> = Column<Row> & { readonly id: string };

const widthsPx = { medium: 700, wide: 960, full: 1100 };

/** Narrower lists show rows in two lines instead of scrolling sideways. */
export const leastSidewaysPx = widthsPx.medium;

/** Returns the columns with their ids, pinned ones first. */
export function listColumns<Row>(columns: readonly Column<Row>[]): readonly ListedColumn<Row>[] {
  const listed = columns.map((column) => ({ ...column, id: column.id ?? toKebabCase(column.name) }));
  return [...listed.filter(({ isPinned }) => isPinned), ...listed.filter(({ isPinned }) => !isPinned)];
}

function hasRoom<Row>({ showFrom }: Column<Row>, listWidthPx: number): boolean {
  return showFrom === undefined || listWidthPx >= widthsPx[showFrom];
}

/**
 * Returns the columns that fit into a list without narrowing those that have no width, such as names, below their
 * minimum. Columns for wide lists are hidden first, then the last ones; columns that the user added are hidden last.
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

/** Returns the rank in which columns are hidden, lowest first. */
function hidingRankOf<Row>({ isExtra, showFrom }: Column<Row>): number {
  return (isExtra ? widthsPx.full : 0) - (showFrom ? widthsPx[showFrom] : 0);
}

function columnPx<Row>({ width, minWidth }: Column<Row>, listWidthPx: number): number {
  if (width?.endsWith('%')) return (Number.parseFloat(width) / 100) * listWidthPx;
  return Number.parseFloat(width ?? minWidth ?? leastNameWidth) * pxPerRem;
}

const leastNameWidth = '8rem';

/** Returns the width of a list that has room for these columns. */
export function widthNeededPx<Row>(columns: readonly Column<Row>[], controlCount: number): number {
  const widths = columns.map(({ width, minWidth }) => Number.parseFloat(width ?? minWidth ?? usualWidth));
  return widths.reduce((sum, rem) => sum + rem, controlCount * controlRem) * pxPerRem;
}

const usualWidth = '10rem';
export const controlRem = 2.5;
export const pxPerRem = 16;

/** Returns the function that renders a column as plain text; `undefined` for columns without text. */
export function plainText<Row>({ csv, sortBy }: Column<Row>): ((row: Row) => CsvValue) | undefined {
  return csv ?? sortBy;
}

/** Returns the rows that contain the text in one of their columns. */
export function searchRows<Row extends RowData>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  text: string,
): readonly Row[] {
  const texts = columns.map(plainText).filter((read) => read !== undefined);
  return findByText(rows, text, (row) => texts.map((read) => read(row)));
}

const toKebabCase = (name: string) => name.toLowerCase().replace(/[^a-z0-9]+/g, '-');

/** Returns the rows in which a text contains the given one, ignoring case and accents; all rows if it is empty. */
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
