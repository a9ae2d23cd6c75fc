import { z } from 'zod';
import type { ListedColumn } from './column.ts';

export const pageSizes = [25, 50, 100, 200] as const;
export const densities = ['compact', 'regular', 'comfortable'] as const;

const text = z.union([z.string(), z.number()]).optional().catch(undefined);
const ids = z.string().max(1000).optional().catch(undefined);

/**
 * Search parameters of a list, for a route's `validateSearch`. Pages with more filters extend the schema. Missing
 * values have defaults; invalid values are ignored.
 */
export const tableSearch = z.object({
  filter: text,
  /** Column id, prefixed with `-` for descending order. */
  sort: ids,
  page: z.number().int().min(2).max(10_000).optional().catch(undefined),
  cursor: text,
  /** Id of the last row of the first page. Offsets of later pages start at this row. */
  before: text,
  size: z.literal(pageSizes).optional().catch(undefined),
  /** Ids of columns that are shown by default but hidden by the user, joined by dots. */
  hide: ids,
  /** Ids of columns that are hidden by default but shown by the user, joined by dots. */
  show: ids,
  /** Ids of the columns in their custom order, joined by dots. */
  order: ids,
  /** Key of the row whose details are open. */
  open: text,
  density: z.enum(densities).optional().catch(undefined),
});

export type TableSearch = z.infer<typeof tableSearch>;

const viewKeys = new Set<string>([
  'page',
  'cursor',
  'before',
  'hide',
  'show',
  'order',
  'open',
  'density',
] satisfies (keyof TableSearch)[]);

/** Resets the page to the first if the changes affect which rows are listed. */
export function withFirstPage<Search extends TableSearch>(changes: Partial<Search>): Partial<TableSearch> {
  const isViewOnly = Object.keys(changes).every((key) => viewKeys.has(key));
  return isViewOnly ? changes : { ...changes, page: undefined, cursor: undefined, before: undefined };
}

/**
 * Returns the query fields for a page of a list with the newest rows first. Later pages are counted from the last row
 * of the first page, so that new rows neither repeat nor skip rows.
 */
export function toPageQuery({ page = 1, size, before }: TableSearch, usualSize: number) {
  const limit = size ?? usualSize;
  if (page === 1 || before === undefined) return { skip: (page - 1) * limit, limit };
  return { before: String(before), skip: (page - 2) * limit, limit };
}

export function countRowsBefore({ page = 1, size }: TableSearch, usualSize: number): number {
  return (page - 1) * (size ?? usualSize);
}

/** Converts numeric text to a number, because the router would quote numeric text in the URL. */
export function toParameter(value: string): string | number {
  return value !== '' && String(Number(value)) === value ? Number(value) : value;
}

export interface Sorting {
  id: string;
  desc: boolean;
}

export function readSorting<Row>(
  sort: string | undefined,
  columns: readonly ListedColumn<Row>[],
): readonly Sorting[] {
  if (sort === undefined) return [];
  const desc = sort.startsWith('-');
  const id = desc ? sort.slice(1) : sort;
  return columns.some((column) => column.id === id && column.sortBy) ? [{ id, desc }] : [];
}

export function writeSorting([first]: readonly Sorting[]): string | undefined {
  return first && `${first.desc ? '-' : ''}${first.id}`;
}

/** Returns all column ids, with the custom order first. */
export function readOrder<Row>(
  order: string | undefined,
  columns: readonly ListedColumn<Row>[],
): readonly string[] {
  const chosen = split(order);
  const place = ({ id, isPinned }: ListedColumn<Row>) => {
    if (isPinned) return -1;
    const index = chosen.indexOf(id);
    return index === -1 ? chosen.length : index;
  };
  return columns.toSorted((left, right) => place(left) - place(right)).map(({ id }) => id);
}

export function writeOrder<Row>(
  order: readonly string[],
  columns: readonly ListedColumn<Row>[],
): string | undefined {
  const isDefault = columns.every(({ id }, index) => order[index] === id);
  return isDefault ? undefined : order.join('.');
}

/** Pinned columns do not move, and other columns do not move past them. */
export function moveColumn<Row>(
  order: readonly string[],
  id: string,
  step: -1 | 1,
  columns: readonly ListedColumn<Row>[],
): readonly string[] {
  const from = order.indexOf(id);
  const neighbor = order[from + step];
  const isPinned = (name: string) => columns.some((column) => column.id === name && column.isPinned);
  if (from === -1 || neighbor === undefined || isPinned(id) || isPinned(neighbor)) return order;
  return order.toSpliced(from, 1).toSpliced(from + step, 0, id);
}

export function readVisibility<Row>(
  { hide, show }: Pick<TableSearch, 'hide' | 'show'>,
  columns: readonly ListedColumn<Row>[],
): Record<string, boolean> {
  const [hidden, shown] = [split(hide), split(show)];
  const isShown = ({ id, isExtra, isHideable }: ListedColumn<Row>) =>
    isHideable === false || (isExtra ? shown.includes(id) : !hidden.includes(id));
  return Object.fromEntries(columns.map((column) => [column.id, isShown(column)]));
}

export function writeVisibility<Row>(
  visibility: Record<string, boolean>,
  columns: readonly ListedColumn<Row>[],
): { hide: string | undefined; show: string | undefined } {
  const join = (chosen: readonly ListedColumn<Row>[]) => chosen.map(({ id }) => id).join('.') || undefined;
  return {
    hide: join(columns.filter(({ id, isExtra }) => !isExtra && visibility[id] === false)),
    show: join(columns.filter(({ id, isExtra }) => isExtra && visibility[id] === true)),
  };
}

const split = (list: string | undefined) => (list === undefined ? [] : list.split('.'));
