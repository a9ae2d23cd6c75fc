import type { BlacklistEntry } from '@sluice/contract';
import type { useDialogs } from '#lib/use-dialogs.ts';
import { AddEntryDialog } from './add-entry-dialog.tsx';
import { CheckDialog } from './check-dialog.tsx';

export type DialogKind = 'add' | 'check';

interface BlacklistOverlaysProps {
  dialogs: ReturnType<typeof useDialogs<DialogKind, BlacklistEntry>>;
}

export function BlacklistOverlays({ dialogs }: BlacklistOverlaysProps) {
  return (
    <>
      <AddEntryDialog {...dialogs.propsOf('add')} />
      <CheckDialog {...dialogs.propsOf('check')} />
    </>
  );
}
