import { Ellipsis, type LucideIcon } from 'lucide-react';
import { lazyPart } from '#lib/lazy-part.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { useLazyOpener } from '../ui/lazy-opener.tsx';
import styles from './row-actions.module.css';

const RowMenuList = lazyPart(() => import('./row-menu-list.tsx'), 'RowMenuList');

interface RowMenuProps<Row> {
  row: Row;
  name: string;
  actions: readonly RowAction<Row>[];
  tabIndex: number;
}

/** Menu of a row, loaded on first use: a menu per row would make long lists slow. */
export function RowMenu<Row>({ row, name, actions, tabIndex }: RowMenuProps<Row>) {
  const { isUsed, buttonProps, opening } = useLazyOpener('menu');
  const describe = ({ obstacle, run, ...action }: RowAction<Row>) => ({
    ...action,
    obstacle: obstacle?.(row) ?? null,
    run: () => run(row),
  });
  return (
    <>
      <IconButton {...buttonProps} label={name} icon={Ellipsis} tabIndex={tabIndex} />
      {isUsed && <RowMenuList opening={opening} items={actions.map(describe)} />}
    </>
  );
}

interface RowActionsProps<Row> {
  row: Row;
  /** Name of the row in the buttons' labels. */
  rowName: string;
  actions: readonly RowAction<Row>[];
  /** Only one row's buttons are tab stops at a time. */
  isTabStop: boolean;
}

/** The most used actions as icons, and a menu of all. */
export function RowActions<Row>({ row, rowName, actions, isTabStop }: RowActionsProps<Row>) {
  const offered = actions.filter(({ isHidden }) => !isHidden?.(row));
  const tabIndex = isTabStop ? 0 : -1;
  if (offered.length === 0) return null;
  return (
    <div className={styles.actions}>
      <ActionButtons
        row={row}
        rowName={rowName}
        actions={actions.filter(({ isInline }) =>
          typeof isInline === 'function' ? isInline(row) : isInline,
        )}
        tabIndex={tabIndex}
      />
      <RowMenu row={row} name={`More actions: ${rowName}`} actions={offered} tabIndex={tabIndex} />
    </div>
  );
}

interface ActionButtonsProps<Row> {
  row: Row;
  /** Name of the row in the buttons' labels. */
  rowName: string;
  actions: readonly RowAction<Row>[];
  tabIndex?: number;
}

/** Actions of a row as icon buttons. A disabled one states the reason. */
export function ActionButtons<Row>({ row, rowName, actions, tabIndex }: ActionButtonsProps<Row>) {
  return actions
    .filter(({ isHidden }) => !isHidden?.(row))
    .map(({ name, icon, obstacle, run }) => (
      <IconButton
        key={name}
        label={`${name}: ${rowName}`}
        icon={icon}
        tabIndex={tabIndex}
        title={obstacle?.(row) ?? name}
        disabled={Boolean(obstacle?.(row))}
        onClick={() => run(row)}
      />
    ));
}

/** An action in the last column of a row. */
export interface RowAction<Row> {
  name: string;
  icon: LucideIcon;
  run: (row: Row) => void;
  /** Whether the action is also shown as an icon, on all or on some rows. */
  isInline?: boolean | ((row: Row) => boolean);
  /** Shown last, in red. */
  isDangerous?: boolean;
  isHidden?: (row: Row) => boolean;
  /** Why the action is not available for this row; `null` if it is. */
  obstacle?: (row: Row) => string | null;
}
