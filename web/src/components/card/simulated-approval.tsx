import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { DialogFooter } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';

interface SimulatedApprovalProps {
  /** Amount or purpose to approve: `$12.50`. */
  subject: ReactNode;
  onAnswer: (isApproved: boolean) => void;
}

/** The 3-D Secure question of the card holder's bank, in a demonstration. */
export function SimulatedApproval({ subject, onAnswer }: SimulatedApprovalProps) {
  return (
    <>
      <Notice kind="warn" title="Your bank asks: is it you?">
        The simulated 3-D Secure question for {subject}.
      </Notice>
      <DialogFooter>
        <Button variant="default" onClick={() => onAnswer(false)}>
          Decline
        </Button>
        <Button onClick={() => onAnswer(true)} data-autofocus>
          Authenticate
        </Button>
      </DialogFooter>
    </>
  );
}
