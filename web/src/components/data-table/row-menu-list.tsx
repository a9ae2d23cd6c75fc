import { Menu } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';
import type { Opening } from '../ui/lazy-opener.tsx';
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
  opening: Opening;
  items: readonly MenuAction[];
}

export function RowMenuList({ opening, items }: RowMenuListProps) {
  return (
    <Menu position="bottom-end" width={220} withInitialFocusPlaceholder={false} {...opening.floatingProps}>
      <Menu.Target>{opening.anchor}</Menu.Target>
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
