import { Button } from '@mantine/core';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatCount, formatQuantity } from '#lib/format-number.ts';
import { SelectField } from '../forms/select-field.tsx';
import styles from './pager.module.css';
import { pageSizes, type TableSearch, toPageQuery, toParameter } from './table-search.ts';
import type { TableState } from './use-table-state.ts';

interface OffsetPagerProps {
  state: TableState;
  rowCount: number;
  total: TotalCount | null;
  /** Default page size. The URL can override it. */
  usualSize: (typeof pageSizes)[number];
  /**
   * Id of the last row in server order. Set for lists with the newest rows first; their next page starts after this
   * row.
   */
  lastId?: string | number | undefined;
  /** Called to prefetch a page before the user opens it. */
  onPrefetch?: (place: Pick<TableSearch, 'page' | 'before'>) => void;
  /** Whether the pager is shown for an empty list, so that the user can change the page size. */
  isAlwaysShown?: boolean;
}

/** Pagination by offset, for example `101–200 of 18,204`. */
export function OffsetPager(props: OffsetPagerProps) {
  const { state, rowCount, total, usualSize, lastId, onPrefetch, isAlwaysShown = false } = props;
  const { page = 1, size = usualSize } = state.search;
  const first = (page - 1) * size + 1;
  const hasNext = total ? !total.isExact || first + rowCount <= total.count : rowCount === size;
  const next = { page: page + 1, before: page === 1 ? toAnchor(lastId) : state.search.before };
  const previous = page === 2 ? { page: undefined, before: undefined } : { page: page - 1 };
  if (rowCount === 0 && page === 1 && !isAlwaysShown) return null;
  return (
    <nav className={styles.pager} aria-label="Pages">
      <p className={`num ${styles.count}`}>
        {rowCount === 0 ? 'No rows' : `${formatCount(first)}–${formatCount(first + rowCount - 1)}`}
        {total && rowCount > 0 && ` of ${formatTotal(total)}`}
        {state.search.sort !== undefined && ' · sorted within this page'}
      </p>
      <SelectField
        className={styles.size}
        aria-label="Rows per page"
        options={pageSizes.map((choice) => ({ value: choice, label: `${choice} rows` }))}
        value={size}
        onChange={(value) => {
          const chosen = pageSizes.find((choice) => String(choice) === value);
          state.change({ size: chosen === usualSize ? undefined : chosen });
        }}
      />
      <PageButton direction="previous" isDisabled={page === 1} onClick={() => state.change(previous)} />
      <PageButton
        direction="next"
        isDisabled={!hasNext || rowCount === 0}
        onClick={() => state.change(next)}
        onApproach={() => hasNext && onPrefetch?.(next)}
      />
    </nav>
  );
}

const toAnchor = (lastId: string | number | undefined) =>
  lastId === undefined ? undefined : toParameter(String(lastId));

interface CursorPagerProps {
  state: TableState;
  rowCount: number;
  /** Start of the next page; `null` on the last page. */
  nextCursor: string | null;
  onPrefetch?: (cursor: string) => void;
  note?: ReactNode;
}

/** Pagination by cursor, which offers only the next page. The browser's Back button opens previous pages. */
export function CursorPager({ state, rowCount, nextCursor, onPrefetch, note }: CursorPagerProps) {
  const { cursor } = state.search;
  return (
    <nav className={styles.pager} aria-label="Pages">
      <p className={`num ${styles.count}`}>
        {formatQuantity(rowCount, 'row')}
        {note}
      </p>
      <Button
        variant="default"
        disabled={cursor === undefined}
        onClick={() => state.change({ cursor: undefined })}
      >
        First page
      </Button>
      <PageButton
        direction="next"
        isDisabled={nextCursor === null}
        onClick={() => state.change({ cursor: nextCursor === null ? undefined : toParameter(nextCursor) })}
        onApproach={() => nextCursor !== null && onPrefetch?.(nextCursor)}
      />
    </nav>
  );
}

interface PageButtonProps {
  direction: 'previous' | 'next';
  isDisabled: boolean;
  onClick: () => void;
  onApproach?: () => void;
}

function PageButton({ direction, isDisabled, onClick, onApproach }: PageButtonProps) {
  const Icon = direction === 'next' ? ChevronRight : ChevronLeft;
  return (
    <Button
      variant="default"
      px="0.5rem"
      aria-label={direction === 'next' ? 'Next page' : 'Previous page'}
      disabled={isDisabled}
      onClick={onClick}
      onPointerEnter={onApproach}
      onFocus={onApproach}
    >
      <Icon size={16} strokeWidth={1.5} aria-hidden />
    </Button>
  );
}

/** Number of rows on the server. A lower bound if `isExact` is `false`. */
export interface TotalCount {
  count: number;
  isExact: boolean;
}

/** Parses the header `X-Total-Count`, for example `18204` or `10000+`. */
export function readTotalCount(header: string | null): TotalCount | null {
  const match = header?.match(/^(\d+)(\+?)$/);
  return match ? { count: Number(match[1]), isExact: match[2] === '' } : null;
}

/**
 * If the request has an anchor, the server counts only the rows from the second page on, so the first page is added.
 */
export function readPageTotal(headers: Headers, search: TableSearch, usualSize: number): TotalCount | null {
  const total = readTotalCount(headers.get('x-total-count'));
  const { before, limit } = { before: undefined, ...toPageQuery(search, usualSize) };
  return total && before !== undefined ? { ...total, count: total.count + limit } : total;
}

export function formatTotal({ count, isExact }: TotalCount): string {
  return `${formatCount(count)}${isExact ? '' : '+'}`;
}
