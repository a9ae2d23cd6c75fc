import type { CurrentUser, User } from '@sluice/contract';
import type { DataTableModel } from '../../components/data-table/use-data-table.ts';
import { ApiKeyDialog } from '../../features/api-keys/dialog.tsx';
import { ApiKeyState } from '../../features/api-keys/state.tsx';
import { InviteUserDialog } from '../../features/invitations/invite-dialog.tsx';
import { LinkHandover } from '../../features/outbox/link-handover.tsx';
import { RoleField, RoleNameField } from '../../features/roles/field.tsx';
import type { UserActions } from '../../features/users/actions.ts';
import { BlockUserDialog } from '../../features/users/block-dialog.tsx';
import { CreateUserDialog } from '../../features/users/create-dialog.tsx';
import { UserDrawer } from '../../features/users/drawer.tsx';
import { EditUserDialog } from '../../features/users/edit-dialog.tsx';
import { mayManage } from '../../features/users/may-manage.ts';
import type { RoleSlot } from '../../features/users/role-slot.ts';
import { SetPasswordDialog } from '../../features/users/set-password-dialog.tsx';

interface UserDialogsProps {
  viewer: CurrentUser;
  users: readonly User[] | undefined;
  actions: UserActions;
  model: DataTableModel<User>;
}

/** What opens over the list of users: the details of one, and what can be done to them. */
export function UserDialogs({ viewer, users, actions, model }: UserDialogsProps) {
  const { dialogs, rowActions, block } = actions;
  const { about: user } = dialogs;
  const { open } = model.state.search;
  const isSelf = user?.id === viewer.id;
  return (
    <>
      {open !== undefined && (
        <UserDrawer
          model={model}
          users={users}
          id={String(open)}
          actions={rowActions}
          apiKey={({ id }) => <ApiKeyState userId={id} />}
        />
      )}
      <CreateUserDialog {...dialogs.propsOf('create')} roleField={roleField} />
      <InviteUserDialog
        {...dialogs.propsOf('invite')}
        roleField={(field) => <RoleNameField {...field} />}
        handover={({ email }, onDone) => <LinkHandover address={email} onDone={onDone} />}
      />
      {user && (
        <>
          <EditUserDialog {...dialogs.propsOf('edit')} user={user} isSelf={isSelf} roleField={roleField} />
          <BlockUserDialog {...dialogs.propsOf('block')} user={user} onBlock={block} />
          <SetPasswordDialog {...dialogs.propsOf('password')} user={user} isSelf={isSelf} />
          <ApiKeyDialog {...dialogs.propsOf('api-key')} owner={user} mayChange={mayManage(viewer, user)} />
        </>
      )}
    </>
  );
}

const roleField: RoleSlot = (field, held) => <RoleField {...field} held={held} />;
