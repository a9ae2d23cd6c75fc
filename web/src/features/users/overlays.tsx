import { Button } from '@mantine/core';
import { blockReasonMax, blockUserQuery, type CurrentUser, type User } from '@sluice/contract';
import type { ReactNode } from 'react';
import type { DataTableModel } from '#components/data-table/use-data-table.ts';
import { TextAreaField } from '#components/forms/text-field.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { Dialog, DialogFooter } from '#components/ui/dialog.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import type { UserActions } from './actions.ts';
import blockDialogStyles from './block-dialog.module.css';
import { AccessDialog, type AccessSlot, CreateUserDialog } from './create-dialog.tsx';
import { UserDrawer } from './drawer.tsx';
import { EditUserDialog } from './edit-dialog.tsx';
import type { RoleSlot } from './form-fields.tsx';
import { mayManage } from './row-actions.ts';
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

interface BlockUserDialogProps {
  user: User;
  isOpen: boolean;
  onClose: () => void;
  /** A rejection is shown in the dialog, which stays open. */
  onBlock: (user: User, reason: string) => Promise<unknown>;
}

function BlockUserDialog({ user, isOpen, onClose, onBlock }: BlockUserDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={`Block ${user.name}`} size="sm">
      <BlockUserForm user={user} onClose={onClose} onBlock={onBlock} />
    </Dialog>
  );
}

function BlockUserForm({ user, onClose, onBlock }: Omit<BlockUserDialogProps, 'isOpen'>) {
  const form = useContractForm({ schema: blockUserQuery, initialValues: { reason: '' } });
  const block = form.submit(async ({ reason }) => {
    await onBlock(user, reason);
    onClose();
  }, 'Failed to block user');
  return (
    <form className={blockDialogStyles.form} onSubmit={block} noValidate>
      <p className={blockDialogStyles.meaning}>
        All requests of this user are refused, by API key and in the chat. The user sees the reason.
      </p>
      <TextAreaField label="Reason" characterLimit={blockReasonMax} data-autofocus {...form.bind('reason')} />
      <div role="alert" className={blockDialogStyles.problem}>
        {form.problem !== null && <StatusMark kind="bad">{form.problem}</StatusMark>}
      </div>
      <DialogFooter>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" color="danger" disabled={form.values.reason.trim() === ''}>
          Block User
        </Button>
      </DialogFooter>
    </form>
  );
}
