import type { User } from '@sluice/contract';
import type { ReactNode } from 'react';
import { Dialog } from '../../components/ui/dialog.tsx';

/** What a first request of a person needs; it belongs to other nouns, so the page puts it in. */
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
