import { useBlocker } from '@tanstack/react-router';
import { readToken } from '../../lib/token.ts';
import { useConfirm } from '../ui/confirm.tsx';
import { useCloseGuard } from '../ui/dialog-layer.ts';

const question = {
  title: 'Discard changes?',
  message: 'What you entered has not been saved.',
  confirmLabel: 'Discard',
  cancelLabel: 'Keep editing',
  isDanger: true,
};

/** Asks before what was entered is lost: by closing the dialog around, by another page, by closing the tab. */
export function useUnsavedGuard(isDirty: boolean, isSaving: boolean): void {
  const confirm = useConfirm();
  // A dialog stays until its save is done, so that no outcome goes unseen; leaving the page after a save is free.
  useCloseGuard(async () => !isSaving && (!isDirty || (await confirm(question))));
  useBlocker({
    disabled: !isDirty || isSaving,
    // Somebody who is signed out cannot save any more.
    shouldBlockFn: async ({ current, next }) =>
      current.pathname !== next.pathname && readToken() !== null && !(await confirm(question)),
    enableBeforeUnload: true,
  });
}
