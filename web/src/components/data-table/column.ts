import type { ReactNode } from 'react';
import styles from './data-table.module.css';

export interface Column<Row> {
  name: string;
  /** A CSS length; columns without one share what is left. */
  width?: string;
  align?: 'end';
  /** The width of the table from which the column is shown; always when absent. */
  showFrom?: 'medium' | 'wide';
  cell: (row: Row) => ReactNode;
}

export function columnClass<Row>({ align, showFrom }: Column<Row>): string {
  return [align === 'end' && styles.end, showFrom && styles[showFrom]].filter(Boolean).join(' ');
}
