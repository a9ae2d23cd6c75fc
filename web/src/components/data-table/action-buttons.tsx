import { IconButton } from '../ui/icon-button.tsx';
import type { RowAction } from './row-action.ts';

interface ActionButtonsProps<Row> {
  row: Row;
  /** Which row it is, for the buttons' names. */
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
