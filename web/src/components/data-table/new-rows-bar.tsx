import { ArrowUp } from 'lucide-react';
import { formatCount } from '#lib/format-number.ts';
import styles from './new-rows-bar.module.css';
import type { DataTableModel } from './use-data-table.ts';

/** Announces new rows above the list. The displayed rows do not move. */
export function NewRowsBar({ arrivals: { count, show } }: Pick<DataTableModel<never>, 'arrivals'>) {
  return (
    <div className={styles.place} role="status">
      {count > 0 && (
        <button type="button" className={styles.bar} onClick={show}>
          <ArrowUp size={14} strokeWidth={2} aria-hidden />
          <span className="num">{formatCount(count)} new</span>
        </button>
      )}
    </div>
  );
}
