import { Button } from '@mantine/core';
import { blockReasonMax, blockUserQuery, type User } from '@sluice/contract';
import { TextAreaField } from '../../components/forms/text-area-field.tsx';
import { useContractForm } from '../../components/forms/use-contract-form.ts';
import { Dialog, DialogFooter } from '../../components/ui/dialog.tsx';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import styles from './block-dialog.module.css';

interface BlockUserDialogProps {
  user: User;
  isOpen: boolean;
  onClose: () => void;
  /** A rejection is shown in the dialog, which stays open. */
  onBlock: (user: User, reason: string) => Promise<unknown>;
}

export function BlockUserDialog({ user, isOpen, onClose, onBlock }: BlockUserDialogProps) {
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
    <form className={styles.form} onSubmit={block} noValidate>
      <p className={styles.meaning}>
        All requests of this user are refused, by API key and in the chat. The user sees the reason.
      </p>
      <TextAreaField label="Reason" characterLimit={blockReasonMax} data-autofocus {...form.bind('reason')} />
      <div role="alert" className={styles.problem}>
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
