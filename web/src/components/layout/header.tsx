import { Button } from '@mantine/core';
import type { CurrentUser } from '@sluice/contract';
import { Link, useRouterState } from '@tanstack/react-router';
import { Menu } from 'lucide-react';
import type { ReactNode } from 'react';
import { homePathOf } from '#lib/home-path.ts';
import { useLogout } from '#lib/session.ts';
import { Mark } from '../ui/mark.tsx';
import styles from './header.module.css';
import { findScreen } from './navigation.ts';
import type { Screens } from './use-screens.ts';

interface HeaderProps {
  user: CurrentUser;
  screens: Screens;
  search: ReactNode;
  account: ReactNode;
  /** Called with the button, which regains the focus when the navigation closes. */
  onOpenNavigation: (opener: HTMLElement) => void;
}

export function Header({ user, screens, search, account, onOpenNavigation }: HeaderProps) {
  const logout = useLogout();
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  const current = findScreen([...screens.sidebar, ...screens.menu], pathname);
  return (
    <header className={styles.header}>
      {/* On phones, the portal has a bottom navigation instead of the button. */}
      {screens.area === 'admin' && (
        <button
          type="button"
          className={styles.menu}
          aria-label="Open navigation"
          onClick={(event) => onOpenNavigation(event.currentTarget)}
        >
          <Menu size={20} strokeWidth={1.5} aria-hidden />
        </button>
      )}
      <Link to={homePathOf(user)} className={styles.home}>
        <Mark />
      </Link>
      {/* Hidden on phones, which have no room for the logo. Screen readers get the heading. */}
      <span className={styles.title} aria-hidden="true">
        {current?.label ?? 'Sluice'}
      </span>
      {search}
      <div className={styles.identity}>
        {account}
        <Button variant="default" onClick={logout}>
          Logout
        </Button>
      </div>
    </header>
  );
}
