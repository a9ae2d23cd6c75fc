import { Link, type LinkProps } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import styles from './sidebar.module.css';

export interface NavigationItem {
  path: NonNullable<LinkProps['to']>;
  label: string;
  icon: LucideIcon;
  /** Whether the item is current on its own page only, not on those below it. */
  isExact?: boolean;
}

export function Sidebar({ items }: { items: readonly NavigationItem[] }) {
  return (
    <nav className={styles.nav} aria-label="Main">
      <ul>
        {items.map(({ path, label, icon: Icon, isExact = false }) => (
          <li key={path}>
            <Link
              to={path}
              className={styles.item}
              activeOptions={{ exact: isExact, includeSearch: false }}
              activeProps={{ className: styles.current }}
            >
              <Icon size={16} strokeWidth={1.5} aria-hidden />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
