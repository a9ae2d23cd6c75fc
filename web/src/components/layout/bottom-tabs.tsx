import { Link } from '@tanstack/react-router';
import { Ellipsis } from 'lucide-react';
import styles from './bottom-tabs.module.css';
import type { BuiltScreen, Screens } from './use-screens.ts';

/** Main destinations of the portal on a phone; the others are under `More`. */
const shown: Readonly<Record<string, string>> = {
  '/dashboard': 'Dashboard',
  '/dashboard/tasks': 'Tasks',
  '/chat': 'Chat',
  '/dashboard/usage': 'Usage',
};

interface BottomTabsProps {
  screens: Screens;
  isMoreOpen: boolean;
  /** Called with the tab, which the focus goes back to. */
  onOpenMore: (opener: HTMLElement) => void;
}

/** The way through the portal on a phone, below the thumb. */
export function BottomTabs({ screens, isMoreOpen, onOpenMore }: BottomTabsProps) {
  const all = [...screens.sidebar, ...screens.menu];
  const tabs = Object.keys(shown)
    .map((path) => all.find((screen) => screen.path === path))
    .filter((screen): screen is BuiltScreen => screen !== undefined);
  return (
    <nav className={styles.tabs} aria-label="Tabs">
      {tabs.map(({ path, label, icon: Icon, isExact = false }) => (
        <Link
          key={path}
          to={path}
          className={styles.tab}
          activeOptions={{ exact: isExact, includeSearch: false }}
          activeProps={{ className: styles.current }}
        >
          <Icon size={20} strokeWidth={1.5} aria-hidden />
          {shown[path] ?? label}
        </Link>
      ))}
      <button
        type="button"
        className={styles.tab}
        aria-haspopup="dialog"
        aria-expanded={isMoreOpen}
        onClick={(event) => onOpenMore(event.currentTarget)}
      >
        <Ellipsis size={20} strokeWidth={1.5} aria-hidden />
        More
      </button>
    </nav>
  );
}
