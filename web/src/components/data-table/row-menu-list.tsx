import { Menu } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';
import type { ReactElement } from 'react';
import './floating.css';
import styles from './row-actions.module.css';

interface MenuAction {
  name: string;
  icon: LucideIcon;
  run: () => void;
  isDangerous?: boolean;
  obstacle: string | null;
}

interface RowMenuListProps {
  items: readonly MenuAction[];
  onClose: () => void;
  /** Button that opens it. */
  children: ReactElement;
}

/** Menu of a row's actions, dangerous ones last. Rendered open. */
export function RowMenuList({ items, onClose, children }: RowMenuListProps) {
  return (
    <Menu
      position="bottom-end"
      width={220}
      transitionProps={{ duration: 120, exitDuration: 80 }}
      withInitialFocusPlaceholder={false}
      defaultOpened
      onClose={onClose}
    >
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        {items
          .toSorted((left, right) => Number(left.isDangerous ?? false) - Number(right.isDangerous ?? false))
          .map(({ name, icon: Icon, run, isDangerous, obstacle }) => (
            <Menu.Item
              key={name}
              className={isDangerous ? styles.dangerous : undefined}
              leftSection={<Icon size={16} strokeWidth={1.5} aria-hidden />}
              disabled={obstacle !== null}
              onClick={run}
            >
              {name}
              {obstacle !== null && <span className={styles.obstacle}>{obstacle}</span>}
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  );
}
