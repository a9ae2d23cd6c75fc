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

/** Menu of a row. Loaded on first use, because a menu per row would make long lists slow. */
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
  /** Row name in the button labels. */
  rowName: string;
  actions: readonly RowAction<Row>[];
  /** Whether the row's buttons are tab stops. Only one row has tab stops at a time. */
  isTabStop: boolean;
}

/** A disabled icon states the reason. */
export function RowActions<Row>({ row, rowName, actions, isTabStop }: RowActionsProps<Row>) {
  const offered = actions.filter(({ isHidden }) => !isHidden?.(row));
  const frequent = offered.find(({ isFrequent }) => isFrequent);
  const tabIndex = isTabStop ? 0 : -1;
  if (offered.length === 0) return null;
  return (
    <div className={styles.actions}>
      {offered
        .filter((action) => action === frequent || action.isButton)
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
        ))}
      {hasMenu(actions) && (
        <RowMenu row={row} name={`More actions: ${rowName}`} actions={offered} tabIndex={tabIndex} />
      )}
    </div>
  );
}

/** Whether a row needs a menu. A menu for a single action would only repeat its icon. */
const hasMenu = (actions: readonly RowAction<never>[]) =>
  actions.length > 1 || actions.some(({ isFrequent }) => !isFrequent);

/** Returns the maximum number of controls in a row. */
export function countControls(actions: readonly RowAction<never>[]): number {
  const buttons = actions.filter(({ isButton }) => isButton).length;
  return Number(actions.some(({ isFrequent }) => isFrequent)) + buttons + Number(hasMenu(actions));
}

export interface RowAction<Row> {
  name: string;
  icon: LucideIcon;
  run: (row: Row) => void;
  /** Whether the action may be shown as the row's icon. Each row shows only its first such action. */
  isFrequent?: boolean;
  /**
   * Whether the action is an icon on every row, in addition to the frequent action. The specification requires
   * buttons for such actions.
   */
  isButton?: boolean;
  /** Whether the action is shown last and in red. */
  isDangerous?: boolean;
  isHidden?: (row: Row) => boolean;
  /** Returns why the action is not available for a row, or `null` if the action is available. */
  obstacle?: (row: Row) => string | null;
}
