import { Button } from '@mantine/core';
import type { User } from '@sluice/contract';
import type { ReactNode } from 'react';
import { DetailsDrawer } from '../../components/data-table/details-drawer.tsx';
import type { DataTableModel } from '../../components/data-table/use-data-table.ts';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import { UserDetails } from './details.tsx';
import styles from './drawer.module.css';
import type { UserAction } from './row-actions.ts';

interface UserDrawerProps {
  model: DataTableModel<User>;
  /** All users, since the one in the URL may be filtered out. */
  users: readonly User[] | undefined;
  id: string;
  actions: readonly UserAction[];
  apiKey: (user: User) => ReactNode;
}

/** User Details, next to the list. */
export function UserDrawer({ model, users, id, actions, apiKey }: UserDrawerProps) {
  const user = users?.find((listed) => String(listed.id) === id);
  return (
    <DetailsDrawer model={model} label="User Details" heading={<Heading user={user} />}>
      {!users && <SkeletonLines count={6} />}
      {users && !user && <EmptyState title="There is no such user">Nobody here has the id {id}.</EmptyState>}
      {user && (
        <>
          <div className={styles.actions}>
            {actions
              .filter(({ isHidden }) => !isHidden?.(user))
              .map(({ name, icon: Icon, run }) => (
                <Button
                  key={name}
                  variant="default"
                  leftSection={<Icon size={14} strokeWidth={1.5} aria-hidden />}
                  onClick={() => run(user)}
                >
                  {name}
                </Button>
              ))}
          </div>
          <UserDetails user={user} apiKey={apiKey(user)} />
        </>
      )}
    </DetailsDrawer>
  );
}

function Heading({ user }: { user: User | undefined }) {
  return (
    <>
      <h2>{user?.name ?? 'User Details'}</h2>
      {user && <p className={`quiet ${styles.email}`}>{user.email}</p>}
    </>
  );
}
