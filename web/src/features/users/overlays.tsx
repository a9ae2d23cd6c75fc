import { Button } from '@mantine/core';
import { blockReasonMax, blockUserQuery, type CurrentUser, type User } from '@sluice/contract';
import { TextAreaField } from '#components/forms/text-field.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { Dialog, DialogFooter } from '#components/ui/dialog.tsx';
import { RecentUse } from '#components/ui/recent-use.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { ApiKeyDialog } from '#features/api-keys/index.ts';
import { InviteUserDialog } from '#features/invitations/index.ts';
import type { useDialogs } from '#lib/use-dialogs.ts';
import { mayManage, type UserActions } from './actions.ts';
import blockDialogStyles from './block-dialog.module.css';
import { AccessDialog, CreateUserDialog } from './create-dialog.tsx';
import { EditUserDialog } from './edit-dialog.tsx';
import { SetPasswordDialog } from './set-password-dialog.tsx';

export { BulkDialog } from './bulk-dialog.tsx';

export interface UserOverlaysProps {
  viewer: CurrentUser;
  actions: UserActions;
}

export function UserOverlays({ viewer, actions }: UserOverlaysProps) {
  const { dialogs, block } = actions;
  const { about: user } = dialogs;
  if (!user) return null;
  const isSelf = user?.id === viewer.id;
  return (
    <>
      <EditUserDialog {...dialogs.propsOf('edit')} user={user} isSelf={isSelf} />
      <AccessDialog {...dialogs.propsOf('access')} user={user} />
      <BlockUserDialog {...dialogs.propsOf('block')} user={user} onBlock={block} />
      <SetPasswordDialog {...dialogs.propsOf('password')} user={user} isSelf={isSelf} />
      <ApiKeyDialog {...dialogs.propsOf('api-key')} owner={user} mayChange={mayManage(viewer, user)} />
    </>
  );
}

interface NewUserDialogsProps {
  dialogs: ReturnType<typeof useDialogs<'create' | 'invite', never>>;
}

export function NewUserDialogs({ dialogs }: NewUserDialogsProps) {
  return (
    <>
      <CreateUserDialog {...dialogs.propsOf('create')} />
      <InviteUserDialog {...dialogs.propsOf('invite')} />
    </>
  );
}

interface BlockUserDialogProps {
  user: User;
  isOpen: boolean;
  onClose: () => void;
  /** After a rejection, the dialog remains open and shows the error. */
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
        All requests of this user will be rejected, by API key and in the chat. The user is signed out, and
        sees the reason after signing in again.
      </p>
      <RecentUse of={{ user_id: user.id }} />
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
