import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import { readToken } from '../../lib/token.ts';
import { useConfirm } from '../ui/confirm.tsx';
import { useCloseGuard, useDialogClose } from '../ui/dialog-layer.ts';

const question = {
  title: 'Discard changes?',
  message: 'What you entered has not been saved.',
  confirmLabel: 'Discard',
  cancelLabel: 'Keep editing',
  isDanger: true,
};

/** Confirms before unsaved input is lost by closing the dialog, leaving the page or closing the tab. */
export function useUnsavedGuard(isDirty: boolean, isSaving: boolean): void {
  const confirm = useConfirm();
  const isInDialog = useDialogClose() !== undefined;
  const [hadSession] = useState(hasSession);
  // A dialog stays until its save is done, so that no outcome goes unseen; leaving the page after a save is free.
  useCloseGuard(async () => !isSaving && (!isDirty || (await confirm(question))));
  useBlocker({
    disabled: !isDirty || isSaving,
    shouldBlockFn: async ({ current, next }) => {
      // The address tells which dialog is open; a form of the page itself outlives what else it tells.
      const isLost = isInDialog || current.pathname !== next.pathname;
      const isSignedOut = hadSession && !hasSession();
      return isLost && !isSignedOut && !(await confirm(question));
    },
    enableBeforeUnload: true,
  });
}

const hasSession = () => readToken() !== null;
