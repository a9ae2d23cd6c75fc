import { Button } from '@mantine/core';
import type { Banner, CurrentUser } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { Ellipsis } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { actForTenant, readActingTenant } from '#lib/acting-tenant.ts';
import { mayAdminister } from '#lib/home-path.ts';
import { lazyFile, lazyPart, useEverTrue, usePreload } from '#lib/lazy-part.tsx';
import { systemStatusQuery } from '#lib/system-status.ts';
import { Notice } from '../ui/notice.tsx';
import styles from './app-shell.module.css';
import bottomTabsStyles from './bottom-tabs.module.css';
import { Header } from './header.tsx';
import { managedPages } from './managed-pages.ts';
import noticesStyles from './notices.module.css';
import { Sidebar, useSidebar } from './sidebar.tsx';
import { useConnection } from './use-connection.ts';
import type { BuiltScreen, Screens } from './use-screens.ts';

const kinds: Record<Banner['severity'], 'bad' | 'warn' | 'ok'> = {
  error: 'bad',
  warning: 'warn',
  info: 'ok',
};

/** Notices of the installation, shown to signed-in users on every page. */
function StatusBanners() {
  const { data } = useQuery(systemStatusQuery);
  return (
    <div role="status" className={noticesStyles.notices}>
      {data?.banners.map(({ id, severity, message }) => (
        <Notice key={id} kind={kinds[severity]} title={message} />
      ))}
    </div>
  );
}

// Loaded separately, because most installations have no configuration file.
const loadManagedNote = lazyFile(() => import('./managed-note.tsx'));
const ManagedNote = lazyPart(loadManagedNote, 'ManagedNote');

function ManagedNotices({ path }: { path: string }) {
  usePreload(loadManagedNote);
  const page = managedPages.find((name) => path === `/admin/${name}`);
  if (page === undefined) return null;
  return (
    <div className={noticesStyles.notices}>
      <ManagedNote page={page} />
    </div>
  );
}

/** Other screens are listed under `More`. */
const shown: Readonly<Record<string, string>> = {
  '/dashboard': 'Dashboard',
  '/dashboard/tasks': 'Tasks',
  '/chat': 'Chat',
  '/dashboard/usage': 'Usage',
};

interface BottomTabsProps {
  screens: Screens;
  isMoreOpen: boolean;
  onOpenMore: (opener: HTMLElement) => void;
}

function BottomTabs({ screens, isMoreOpen, onOpenMore }: BottomTabsProps) {
  const all = [...screens.sidebar, ...screens.menu];
  const tabs = Object.keys(shown)
    .map((path) => all.find((screen) => screen.path === path))
    .filter((screen): screen is BuiltScreen => screen !== undefined);
  return (
    <nav className={bottomTabsStyles.tabs} aria-label="Tabs">
      {tabs.map(({ path, label, icon: Icon, isExact = false }) => (
        <Link
          key={path}
          to={path}
          className={bottomTabsStyles.tab}
          activeOptions={{ exact: isExact, includeSearch: false }}
          activeProps={{ className: bottomTabsStyles.current }}
        >
          <Icon size={20} strokeWidth={1.5} aria-hidden />
          {shown[path] ?? label}
        </Link>
      ))}
      <button
        type="button"
        className={bottomTabsStyles.tab}
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

// Loaded on first use, because only narrow screens need the drawer.
const loadDrawer = lazyFile(() => import('./navigation-drawer.tsx'));
const NavigationDrawer = lazyPart(loadDrawer, 'NavigationDrawer');

interface AppShellProps {
  user: CurrentUser;
  screens: Screens;
  /** Button in the header that opens the command palette. */
  search: ReactNode;
  account: ReactNode;
  /** Notice for the user, shown above the page. */
  notice: ReactNode;
}

/** Layout for signed-in users: header, navigation and page. */
export function AppShell({ user, screens, search, account, notice }: AppShellProps) {
  /** Element that opened the drawer and regains the focus when the drawer closes; `null` while the drawer is closed. */
  const [opener, setOpener] = useState<HTMLElement | null>(null);
  const wasOpened = useEverTrue(opener !== null);
  usePreload(loadDrawer);
  const main = useRef<HTMLElement>(null);
  const { isCollapsed, toggle } = useSidebar();
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigating to another page closes the drawer
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
        {/* If another tab signs in as a different user, the key remounts the page without the previous user's data. */}
        <main key={user.id} id="content" ref={main} className={styles.main} tabIndex={-1}>
          <ActingNotice user={user} />
          <ConnectionNotice />
          <StatusBanners />
          {notice}
          {mayAdminister(user) && <ManagedNotices path={pathname} />}
          <Outlet />
        </main>
      </div>
      {screens.area === 'portal' && (
        <BottomTabs screens={screens} isMoreOpen={opener !== null} onOpenMore={setOpener} />
      )}
    </>
  );
}

/** Moves the focus to the heading after each navigation, so that screen readers announce the new page. */
function useArrival(main: RefObject<HTMLElement | null>): void {
  const pathname = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const formerPathname = useRef(pathname);
  useEffect(() => {
    const hasMoved = formerPathname.current !== undefined && formerPathname.current !== pathname;
    formerPathname.current = pathname;
    if (!hasMoved) return;
    const heading = main.current?.querySelector<HTMLElement>('h1');
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }, [pathname, main]);
}

/** The button returns to the user's own tenant. */
function ActingNotice({ user }: { user: CurrentUser }) {
  if (readActingTenant() === null) return null;
  return (
    <div className={noticesStyles.notices}>
      <Notice
        kind="warn"
        title={`You are acting for ${user.tenant.name}.`}
        action={
          <Button variant="default" onClick={() => actForTenant(null)}>
            Back to your own tenant
          </Button>
        }
      />
    </div>
  );
}

/** The page below remains visible. */
function ConnectionNotice() {
  const { isAway, retry } = useConnection();
  return (
    <div role="status" className={noticesStyles.notices}>
      {isAway && (
        <Notice
          kind="warn"
          title={`${navigator.onLine ? 'The gateway cannot be reached.' : 'You are offline.'} This page may be out of date. It refreshes automatically when the gateway responds.`}
          action={
            <Button variant="default" onClick={retry}>
              Try Again
            </Button>
          }
        />
      )}
    </div>
  );
}
