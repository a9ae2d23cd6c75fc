import type { CurrentUser } from '@sluice/contract';
import type { ComponentProps } from 'react';
import { lazyFile, lazyPart } from '#lib/lazy-part.tsx';
import { useLazyOpener } from '../ui/lazy-opener.tsx';
import styles from './account-menu.module.css';
import type { AccountMenuProps } from './account-menu-list.tsx';

const loadList = lazyFile(() => import('./account-menu-list.tsx'));
const AccountMenuList = lazyPart(loadList, 'AccountMenuList');

export function AccountMenu(props: AccountMenuProps) {
  const { isUsed, buttonProps, opening } = useLazyOpener('menu');
  const prepare = () => void loadList();
  return (
    <>
      <Trigger {...buttonProps} user={props.user} onPointerEnter={prepare} onFocus={prepare} />
      {isUsed && <AccountMenuList {...props} opening={opening} />}
    </>
  );
}

function Trigger({ user, ...props }: ComponentProps<'button'> & { user: CurrentUser }) {
  return (
    <button {...props} type="button" className={styles.trigger}>
      <span className={styles.names}>
        <span className={styles.name}>{user.name}</span>
        <span className={styles.email}>{user.email}</span>
      </span>
      <span className={styles.avatar} aria-hidden="true">
        {initialOf(user)}
      </span>
      <span className="visually-hidden">Account menu</span>
    </button>
  );
}

function initialOf(user: CurrentUser): string {
  const [initial = ''] = user.name.trim() || user.email;
  return initial.toUpperCase();
}
