import { useState } from 'react';
import { useIsReading } from './use-is-reading.ts';

interface HeldRowsOptions<Row> {
  /** The newest answer of the server. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string | number;
  /** Identifies the query behind the rows; without it, rows are never held back. */
  question?: string;
  /** Whether a row's details are open, and which rows are expanded. */
  isOpen: boolean;
  expanded: Readonly<Record<string, boolean>>;
}

interface HeldRows<Row> {
  rows: readonly Row[] | undefined;
  arrivals: { count: number; show: () => void };
}

/** Rows that stand still while somebody reads, and after that until the new ones are asked for. */
export function useHeldRows<Row>(options: HeldRowsOptions<Row>): HeldRows<Row> {
  const { rows, rowKey, question, isOpen, expanded } = options;
  const [held, setHeld] = useState<{ rows: readonly Row[]; question: string } | null>(null);
  const mayBeExpanded = Object.keys(expanded).length > 0;
  const hasExpanded = mayBeExpanded && rows?.some((row) => expanded[String(rowKey(row))]);
  const isReading = useIsReading() || isOpen || hasExpanded === true;

  const isHeld = held !== null && held.question === question;
  const count = isHeld && rows ? countNew(held.rows, rows, rowKey) : 0;
  const shouldHold = question !== undefined && (isReading || count > 0);
  if (shouldHold && !isHeld && rows) setHeld({ rows, question });
  if (!shouldHold && held !== null) setHeld(null);
  return { rows: isHeld ? held.rows : rows, arrivals: { count, show: () => setHeld(null) } };
}

/** How many of the latest rows are not among those held. */
export function countNew<Row>(
  held: readonly Row[],
  latest: readonly Row[],
  rowKey: (row: Row) => string | number,
): number {
  if (held === latest) return 0;
  const known = new Set(held.map(rowKey));
  return latest.filter((row) => !known.has(rowKey(row))).length;
}
