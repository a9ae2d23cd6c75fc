import type { CurrentUser } from '@sluice/contract';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import styles from './app-shell.module.css';
import { Header } from './header.tsx';
import { NavigationDrawer } from './navigation-drawer.tsx';
import { type NavigationItem, Sidebar } from './sidebar.tsx';

interface AppShellProps {
  user: CurrentUser;
  items: readonly NavigationItem[];
}

/** Header, navigation and the page: what everybody who is signed in sees. */
export function AppShell({ user, items }: AppShellProps) {
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: arriving at another page closes the drawer
  useEffect(() => setDrawerOpen(false), [pathname]);

  return (
    <>
      <a className={styles.skip} href="#content">
        Skip to content
      </a>
      <Header user={user} onOpenNavigation={() => setDrawerOpen(true)} />
      <NavigationDrawer items={items} isOpen={isDrawerOpen} onClose={() => setDrawerOpen(false)} />
      <div className={styles.body}>
        <div className={styles.sidebar}>
          <Sidebar items={items} />
        </div>
        {/* The key starts the page anew, without the former person's data, when another tab signs in somebody else. */}
        <main key={user.id} id="content" className={styles.main} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
    </>
  );
}
