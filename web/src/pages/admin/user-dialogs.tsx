import type { CurrentUser, User } from '@sluice/contract';
import type { TableState } from '../../components/data-table/use-table-state.ts';
import { ApiKeyDialog } from '../../features/api-keys/api-key-dialog.tsx';
import { ApiKeyPanel } from '../../features/api-keys/api-key-panel.tsx';
import { RoleField } from '../../features/roles/role-field.tsx';
import { BlockUserDialog } from '../../features/users/block-user-dialog.tsx';
import { CreateUserDialog } from '../../features/users/create-user-dialog.tsx';
import { EditUserDialog } from '../../features/users/edit-user-dialog.tsx';
import { mayManage } from '../../features/users/may-manage.ts';
import type { RoleSlot } from '../../features/users/role-slot.ts';
import { SetPasswordDialog } from '../../features/users/set-password-dialog.tsx';
import type { UserActs } from '../../features/users/use-user-acts.ts';
import { UserDrawer } from '../../features/users/user-drawer.tsx';

interface UserDialogsProps {
  viewer: CurrentUser;
  users: readonly User[] | undefined;
  acts: UserActs;
  state: TableState;
}

/** What opens over the list of users: the details of one, and what can be done to them. */
export function UserDialogs({ viewer, users, acts, state }: UserDialogsProps) {
  const { dialogs, actions, block } = acts;
  const { user } = dialogs;
  const isSelf = user?.id === viewer.id;
  return (
    <>
      <UserDrawer
        users={users}
        openId={state.search.open}
        onClose={() => state.change({ open: undefined })}
        actions={actions}
        apiKeyPanel={(owner) => <ApiKeyPanel owner={owner} mayChange={mayManage(viewer, owner)} />}
      />
      <CreateUserDialog {...dialogs.propsOf('create')} roleField={roleField} />
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
