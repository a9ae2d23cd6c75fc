import type { CurrentUser } from '@sluice/contract';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { lazyFile, lazyPart } from '../../lib/lazy-part.tsx';
import { useEverTrue } from '../../lib/use-ever-true.ts';
import { usePreload } from '../../lib/use-preload.ts';
import { ActingNotice } from './acting-notice.tsx';
import styles from './app-shell.module.css';
import { BottomTabs } from './bottom-tabs.tsx';
import { ConnectionNotice } from './connection-notice.tsx';
import { Header } from './header.tsx';
import { Sidebar } from './sidebar.tsx';
import { StatusBanners } from './status-banners.tsx';
import { useArrival } from './use-arrival.ts';
import type { Screens } from './use-screens.ts';
import { useSidebar } from './use-sidebar.ts';

// Comes with the first move: wide screens never need it.
const loadDrawer = lazyFile(() => import('./navigation-drawer.tsx'));
const NavigationDrawer = lazyPart(loadDrawer, 'NavigationDrawer');

interface AppShellProps {
  user: CurrentUser;
  screens: Screens;
  /** The header's way into the command palette. */
  search: ReactNode;
  /** The menu behind the avatar. */
  account: ReactNode;
}

/** Header, navigation and the page: what everybody who is signed in sees. */
export function AppShell({ user, screens, search, account }: AppShellProps) {
  /** Element that opened the drawer and gets focus back when it closes; `null` while closed. */
  const [opener, setOpener] = useState<HTMLElement | null>(null);
  const wasOpened = useEverTrue(opener !== null);
  usePreload(loadDrawer);
  const main = useRef<HTMLElement>(null);
  const { isCollapsed, toggle } = useSidebar();
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: arriving at another page closes the drawer
  useEffect(() => setOpener(null), [pathname]);
  useArrival(main);

  return (
    <>
      <a className={styles.skip} href="#content">
        Skip to content
      </a>
      <Header user={user} screens={screens} search={search} account={account} onOpenNavigation={setOpener} />
      {wasOpened && (
        <NavigationDrawer
          screens={screens.sidebar}
          isOpen={opener !== null}
          onClose={() => {
            opener?.focus();
            setOpener(null);
          }}
        />
      )}
      <div className={styles.body} data-collapsed={isCollapsed || undefined}>
        <div className={styles.sidebar}>
          <Sidebar screens={screens.sidebar} isCollapsed={isCollapsed} onToggle={toggle} />
        </div>
        {/* The key remounts the page, without the previous user's data, when another tab signs in a different user. */}
        <main key={user.id} id="content" ref={main} className={styles.main} tabIndex={-1}>
          <ActingNotice user={user} />
          <ConnectionNotice />
          <StatusBanners />
          <Outlet />
        </main>
      </div>
      {screens.area === 'portal' && (
        <BottomTabs screens={screens} isMoreOpen={opener !== null} onOpenMore={setOpener} />
      )}
    </>
  );
}
