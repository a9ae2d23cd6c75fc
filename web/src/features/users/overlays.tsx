import type { CurrentUser, User } from '@sluice/contract';
import type { ReactNode } from 'react';
import type { DataTableModel } from '../../components/data-table/use-data-table.ts';
import { AccessDialog, type AccessSlot } from './access-dialog.tsx';
import type { UserActions } from './actions.ts';
import { BlockUserDialog } from './block-dialog.tsx';
import { CreateUserDialog } from './create-dialog.tsx';
import { UserDrawer } from './drawer.tsx';
import { EditUserDialog } from './edit-dialog.tsx';
import { mayManage } from './may-manage.ts';
import type { RoleSlot } from './role-slot.ts';
import { SetPasswordDialog } from './set-password-dialog.tsx';

export interface UserOverlaysProps {
  viewer: CurrentUser;
  users: readonly User[] | undefined;
  actions: UserActions;
  model: DataTableModel<User>;
}

interface DialogProps {
  isOpen: boolean;
  onClose: () => void;
}

/** Parts of other features, passed in by the page. */
interface UserSlots {
  apiKey: (user: User) => ReactNode;
  apiKeyDialog: (props: DialogProps & { owner: User; mayChange: boolean }) => ReactNode;
  inviteDialog: (props: DialogProps) => ReactNode;
  roleField: RoleSlot;
  accessSetup: AccessSlot;
}

/** Drawer and dialogs of the users page. */
export function UserOverlays({
  viewer,
  users,
  actions,
  model,
  slots,
}: UserOverlaysProps & { slots: UserSlots }) {
  const { dialogs, rowActions, block } = actions;
  const { about: user } = dialogs;
  const { open } = model.state.search;
  const isSelf = user?.id === viewer.id;
  const { accessSetup, roleField } = slots;
  return (
    <>
      {open !== undefined && (
        <UserDrawer
          model={model}
          users={users}
          id={String(open)}
          actions={rowActions}
          apiKey={slots.apiKey}
        />
      )}
      <CreateUserDialog {...dialogs.propsOf('create')} roleField={roleField} accessSetup={accessSetup} />
      {slots.inviteDialog(dialogs.propsOf('invite'))}
      {user && (
        <>
          <EditUserDialog {...dialogs.propsOf('edit')} user={user} isSelf={isSelf} roleField={roleField} />
          <AccessDialog {...dialogs.propsOf('access')} user={user} accessSetup={accessSetup} />
          <BlockUserDialog {...dialogs.propsOf('block')} user={user} onBlock={block} />
          <SetPasswordDialog {...dialogs.propsOf('password')} user={user} isSelf={isSelf} />
          {slots.apiKeyDialog({
            ...dialogs.propsOf('api-key'),
            owner: user,
            mayChange: mayManage(viewer, user),
          })}
        </>
      )}
    </>
  );
}
