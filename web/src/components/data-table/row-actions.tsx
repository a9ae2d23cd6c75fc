import { ActionButtons } from './action-buttons.tsx';
import type { RowAction } from './row-action.ts';
import styles from './row-actions.module.css';
import { RowMenu } from './row-menu.tsx';

interface RowActionsProps<Row> {
  row: Row;
  /** Which row it is, for the buttons' names. */
  rowName: string;
  actions: readonly RowAction<Row>[];
  /** Only one row's buttons are tab stops at a time. */
  isTabStop: boolean;
}

/** The most used actions as icons, and all of them by name in a menu. */
export function RowActions<Row>({ row, rowName, actions, isTabStop }: RowActionsProps<Row>) {
  const offered = actions.filter(({ isHidden }) => !isHidden?.(row));
  const tabIndex = isTabStop ? 0 : -1;
  if (offered.length === 0) return null;
  return (
    <div className={styles.actions}>
      <ActionButtons
        row={row}
        rowName={rowName}
        actions={actions.filter(({ isInline }) => isInline)}
        tabIndex={tabIndex}
      />
      <RowMenu row={row} name={`More actions: ${rowName}`} actions={offered} tabIndex={tabIndex} />
    </div>
  );
}
