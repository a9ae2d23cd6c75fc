import { IconButton } from '../ui/icon-button.tsx';
import type { RowAction } from './row-action.ts';

interface ActionButtonsProps<Row> {
  row: Row;
  /** Which row it is, for the buttons' names. */
  rowName: string;
  actions: readonly RowAction<Row>[];
  tabIndex?: number;
}

/** What can be done to a row, as icons; one that cannot be done now says why. */
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
