import type { ReactNode } from 'react';
import styles from './list-tools.module.css';

interface ListToolsProps {
  search: ReactNode;
  filters?: ReactNode;
  /** Columns, files: at the end of the line, and on larger screens only. */
  choices?: ReactNode;
}

/** The line of tools between a page's figures and its list. */
export function ListTools({ search, filters, choices }: ListToolsProps) {
  return (
    <search className={styles.tools} aria-label="Filters">
      <div className={styles.search}>{search}</div>
      {filters}
      {choices !== undefined && <div className={styles.choices}>{choices}</div>}
    </search>
  );
}
