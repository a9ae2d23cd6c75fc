import { Button } from '@mantine/core';
import type { User } from '@sluice/contract';
import { type ReactNode, useState } from 'react';
import { DialogFooter } from '../../components/ui/dialog.tsx';
import { Drawer } from '../../components/ui/drawer.tsx';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import type { UserAction } from './user-actions.ts';
import { UserDetails } from './user-details.tsx';

interface UserDrawerProps {
  users: readonly User[] | undefined;
  /** Whose details are open: the address says so, whoever wrote it. */
  openId: string | number | undefined;
  onClose: () => void;
  actions: readonly UserAction[];
  apiKeyPanel: (user: User) => ReactNode;
}

export function UserDrawer({ users, openId, onClose, actions, apiKeyPanel }: UserDrawerProps) {
  // Outlives the closing, so that the drawer leaves with what it showed.
  const [shownId, setShownId] = useState(openId);
  if (openId !== undefined && openId !== shownId) setShownId(openId);

  const user = users?.find(({ id }) => String(id) === String(shownId));
  const offered = user ? actions.filter(({ id, isHidden }) => id !== 'api-key' && !isHidden?.(user)) : [];
  return (
    <Drawer
      isOpen={openId !== undefined && users !== undefined}
      onClose={onClose}
      title={user?.name ?? 'User'}
    >
      {user ? (
        <UserDetails key={user.id} user={user} apiKey={apiKeyPanel(user)} />
      ) : (
        <EmptyState title="There is no such user">Nobody in this tenant has the id {shownId}.</EmptyState>
      )}
      {user && offered.length > 0 && (
        <DialogFooter>
          {offered.map(({ id, name, run }) => (
            <Button key={id} variant="default" onClick={() => run(user)}>
              {name}
            </Button>
          ))}
        </DialogFooter>
      )}
    </Drawer>
  );
}
