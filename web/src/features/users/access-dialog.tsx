import type { User } from '@sluice/contract';
import type { ReactNode } from 'react';
import { Dialog } from '../../components/ui/dialog.tsx';

/** Access set-up of a user, passed in by the page because it belongs to another feature. */
export type AccessSlot = (user: User, onDone: () => void) => ReactNode;

interface AccessDialogProps {
  isOpen: boolean;
  onClose: () => void;
  user: User;
  accessSetup: AccessSlot;
}

export function AccessDialog({ isOpen, onClose, user, accessSetup }: AccessDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={`Give access to ${user.name}`}>
      {accessSetup(user, onClose)}
    </Dialog>
  );
}
