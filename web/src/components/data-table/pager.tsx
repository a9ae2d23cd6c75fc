import { Button } from '@mantine/core';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatCount, formatQuantity } from '#lib/format-number.ts';
import { SelectField } from '../forms/select-field.tsx';
import styles from './pager.module.css';
import { pageSizes, toParameter } from './table-search.ts';
import type { TableState } from './use-table-state.ts';

interface OffsetPagerProps {
  state: TableState;
  /** How many rows the page shown holds. */
  rowCount: number;
  total: TotalCount | null;
  /** The size of a page unless the address names another. */
  usualSize: (typeof pageSizes)[number];
  /** Fetches a page ahead of the click. */
  onPrefetch?: (page: number) => void;
  /** More to say about what is shown. */
  note?: ReactNode;
}

/** Pages counted from the first row: `101–200 of 18,204`. */
export function OffsetPager({ state, rowCount, total, usualSize, onPrefetch, note }: OffsetPagerProps) {
  const { page = 1, size = usualSize } = state.search;
  const first = (page - 1) * size + 1;
  const hasNext = total ? !total.isExact || first + rowCount <= total.count : rowCount === size;
  const turnTo = (target: number) => state.change({ page: target === 1 ? undefined : target });
  const prefetch = () => hasNext && onPrefetch?.(page + 1);
  if (rowCount === 0 && page === 1) return null;
  return (
    <nav className={styles.pager} aria-label="Pages">
      <p className={`num ${styles.count}`}>
        {rowCount === 0 ? 'No rows' : `${formatCount(first)}–${formatCount(first + rowCount - 1)}`}
        {total && rowCount > 0 && ` of ${formatTotal(total)}`}
        {note}
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
      <PageButton direction="previous" isDisabled={page === 1} onClick={() => turnTo(page - 1)} />
      <PageButton
        direction="next"
        isDisabled={!hasNext || rowCount === 0}
        onClick={() => turnTo(page + 1)}
        onApproach={prefetch}
      />
    </nav>
  );
}

interface CursorPagerProps {
  state: TableState;
  rowCount: number;
  /** Where the next page begins, `null` on the last one. */
  nextCursor: string | null;
  onPrefetch?: (cursor: string) => void;
  note?: ReactNode;
}

/** Pages that only know the next one; back leads the browser's own history. */
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

/** How many rows there are on the server; beyond some number it only says "at least". */
export interface TotalCount {
  count: number;
  isExact: boolean;
}

/** Reads the header `X-Total-Count`: `18204`, or `10000+`. */
export function readTotalCount(header: string | null): TotalCount | null {
  const match = header?.match(/^(\d+)(\+?)$/);
  return match ? { count: Number(match[1]), isExact: match[2] === '' } : null;
}

/** `18,204`, or `10,000+`. */
export function formatTotal({ count, isExact }: TotalCount): string {
  return `${formatCount(count)}${isExact ? '' : '+'}`;
}
