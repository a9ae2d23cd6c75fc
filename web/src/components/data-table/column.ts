import { type CsvValue, foldText } from '@sluice/contract';
import type { RowData } from '@tanstack/react-table';
import type { ReactNode } from 'react';

/** One column of a list, described once: how it looks, sorts, is found and is exported. */
export interface Column<Row> {
  /** Its name in addresses; the heading in kebab-case when absent. */
  id?: string;
  name: string;
  cell: (row: Row) => ReactNode;
  /** In rem; columns without one share what is left. */
  width?: string;
  /** How narrow a column without a width gets before other columns give way or the list scrolls sideways. */
  minWidth?: string;
  align?: 'end';
  /** The width of the list from which there is room for the column; always when absent. */
  showFrom?: keyof typeof widthsPx;
  /** Makes the column sortable; rows without a value come last. */
  sortBy?: (row: Row) => string | number | null;
  /** Plain text for exports and the filter. Default: `sortBy`. */
  csv?: (row: Row) => CsvValue;
  /** False for the column that tells rows apart. */
  isHideable?: boolean;
  /** Stays first, whatever the order of the others. */
  isPinned?: boolean;
  /** Hidden until somebody asks for it. */
  isExtra?: boolean;
}

export type ListedColumn<Row> = Column<Row> & { readonly id: string };

const widthsPx = { medium: 700, wide: 960, full: 1100 };

/** A narrower list has rows of two lines instead. */
export const leastSidewaysPx = widthsPx.medium;

/** The columns with their ids, the pinned ones first. */
export function listColumns<Row>(columns: readonly Column<Row>[]): readonly ListedColumn<Row>[] {
  const listed = columns.map((column) => ({ ...column, id: column.id ?? toKebabCase(column.name) }));
  return [...listed.filter(({ isPinned }) => isPinned), ...listed.filter(({ isPinned }) => !isPinned)];
}

function hasRoom<Row>({ showFrom }: Column<Row>, listWidthPx: number): boolean {
  return showFrom === undefined || listWidthPx >= widthsPx[showFrom];
}

/**
 * Returns the columns that have room in a list of this width, next to its controls. If a column without a width would
 * become unreadable, the columns that need the widest list give way, the last one first.
 */
export function fitColumns<Row>(
  columns: readonly ListedColumn<Row>[],
  listWidthPx: number,
  controlsPx: number,
): readonly ListedColumn<Row>[] {
  let shown = columns.filter((column) => hasRoom(column, listWidthPx));
  while (controlsPx + leastWidthPx(shown, listWidthPx) > listWidthPx) {
    const next = findDispensable(shown);
    if (!next) break;
    shown = shown.filter((column) => column !== next);
  }
  return shown;
}

/** Returns the width of the columns when those without a width are as narrow as they get. */
function leastWidthPx<Row>(columns: readonly Column<Row>[], listWidthPx: number): number {
  const widths = columns.map(({ width, minWidth }) => {
    const length = Number.parseFloat(width ?? minWidth ?? readableWidth);
    return width?.endsWith('%') ? (length / 100) * listWidthPx : length * pxPerRem;
  });
  return widths.reduce((sum, px) => sum + px, 0);
}

function findDispensable<Row>(columns: readonly ListedColumn<Row>[]): ListedColumn<Row> | undefined {
  const neededPx = ({ showFrom }: Column<Row>) => (showFrom === undefined ? 0 : widthsPx[showFrom]);
  const mostPx = Math.max(0, ...columns.map(neededPx));
  return mostPx === 0 ? undefined : columns.findLast((column) => neededPx(column) === mostPx);
}

/** How wide a list is in which each column has room. */
export function widthNeededPx<Row>(columns: readonly Column<Row>[], controlCount: number): number {
  const widths = columns.map(({ width, minWidth }) => Number.parseFloat(width ?? minWidth ?? usualWidth));
  return widths.reduce((sum, rem) => sum + rem, controlCount * controlRem) * pxPerRem;
}

const usualWidth = '10rem';
const readableWidth = '8rem';
export const controlRem = 2.5;
export const pxPerRem = 16;

/** The text of a row in a column; `undefined` for a column that is only to look at. */
export function plainText<Row>({ csv, sortBy }: Column<Row>): ((row: Row) => CsvValue) | undefined {
  return csv ?? sortBy;
}

/** The rows that hold the text in one of their columns. */
export function searchRows<Row extends RowData>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  text: string,
): readonly Row[] {
  const texts = columns.map(plainText).filter((read) => read !== undefined);
  return findByText(rows, text, (row) => texts.map((read) => read(row)));
}

const toKebabCase = (name: string) => name.toLowerCase().replace(/[^a-z0-9]+/g, '-');

/** Returns the rows of which a text contains the given one, without regard to case and accents; all rows for an empty text. */
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
