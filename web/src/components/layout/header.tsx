import { Button } from '@mantine/core';
import type { CurrentUser } from '@sluice/contract';
import { Link } from '@tanstack/react-router';
import { Menu } from 'lucide-react';
import { homePathOf } from '../../lib/landing.ts';
import { useLogout } from '../../lib/session.ts';
import { Mark } from '../ui/mark.tsx';
import styles from './header.module.css';

interface HeaderProps {
  user: CurrentUser;
  onOpenNavigation: () => void;
}

export function Header({ user, onOpenNavigation }: HeaderProps) {
  const logout = useLogout();
  return (
    <header className={styles.header}>
      <button type="button" className={styles.menu} aria-label="Open navigation" onClick={onOpenNavigation}>
        <Menu size={20} strokeWidth={1.5} aria-hidden />
      </button>
      <Link to={homePathOf(user)} className={styles.home}>
        <Mark />
      </Link>
      <div className={styles.identity}>
        <div className={styles.names}>
          <span className={styles.name}>{user.name}</span>
          <span className={styles.email}>{user.email}</span>
        </div>
        <span className={styles.avatar} title={`${user.name}, ${user.email}`} aria-hidden="true">
          {initialOf(user)}
        </span>
        <Button variant="default" onClick={logout}>
          Logout
        </Button>
      </div>
    </header>
  );
}

function initialOf(user: CurrentUser): string {
  const [initial = ''] = user.name.trim() || user.email;
  return initial.toUpperCase();
}
