import { Menu } from '@mantine/core';
import { Ellipsis } from 'lucide-react';
import { type ComponentProps, useRef, useState } from 'react';
import './floating.css';
import type { RowAction } from './row-action.ts';
import styles from './row-actions.module.css';

interface RowMenuProps<Row> {
  row: Row;
  name: string;
  actions: readonly RowAction<Row>[];
  tabIndex: number;
}

/** Until its first use only a button: a menu for each row would make scrolling through many rows slow. */
export function RowMenu<Row>({ row, name, actions, tabIndex }: RowMenuProps<Row>) {
  const [isUsed, setUsed] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const looks = { name, tabIndex, ref: button };
  if (!isUsed) return <MenuButton {...looks} aria-haspopup="menu" onClick={() => setUsed(true)} />;
  return (
    <Menu
      position="bottom-end"
      width={220}
      transitionProps={{ duration: 120, exitDuration: 80 }}
      withInitialFocusPlaceholder={false}
      defaultOpened
      onClose={() => button.current?.focus()}
    >
      <Menu.Target>
        <MenuButton {...looks} />
      </Menu.Target>
      <Menu.Dropdown>
        {actions
          .toSorted((left, right) => Number(left.isDangerous ?? false) - Number(right.isDangerous ?? false))
          .map((action) => (
            <ActionItem key={action.name} row={row} action={action} />
          ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function MenuButton({ name, ...props }: ComponentProps<'button'> & { name: string }) {
  return (
    <button {...props} type="button" className={styles.action} aria-label={name}>
      <Ellipsis size={16} strokeWidth={1.5} aria-hidden />
    </button>
  );
}

function ActionItem<Row>({ row, action }: { row: Row; action: RowAction<Row> }) {
  const obstacle = action.obstacle?.(row) ?? null;
  return (
    <Menu.Item
      className={action.isDangerous ? styles.dangerous : undefined}
      leftSection={<action.icon size={16} strokeWidth={1.5} aria-hidden />}
      disabled={obstacle !== null}
      onClick={() => action.run(row)}
    >
      {action.name}
      {obstacle !== null && <span className={styles.obstacle}>{obstacle}</span>}
    </Menu.Item>
  );
}
