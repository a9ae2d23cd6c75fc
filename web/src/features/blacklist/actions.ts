import type { BlacklistEntry } from '@sluice/contract';
import { useMemo } from 'react';
import type { RowAction } from '../../components/data-table/row-action.ts';
import { DeleteIcon } from '../../components/ui/action-icons.ts';
import { useConfirm } from '../../components/ui/confirm.tsx';
import { showError, showSuccess } from '../../components/ui/toasts.tsx';
import { messageOf } from '../../lib/message-of.ts';
import { useRemoveEntry } from './queries.ts';

const question = {
  title: 'Remove from Blacklist',
  message: 'Are you sure you want to remove this blacklist entry?',
  confirmLabel: 'Remove',
  isDanger: true,
};

/** Actions of an entry: removing it, after a confirmation. */
export function useBlacklistActions(): readonly RowAction<BlacklistEntry>[] {
  const confirm = useConfirm();
  const { mutate } = useRemoveEntry();
  return useMemo(() => {
    const remove = async (entry: BlacklistEntry) => {
      if (!(await confirm(question))) return;
      mutate(entry, {
        onSuccess: () => showSuccess('Blacklist entry removed successfully'),
        onError: (error) => showError(messageOf(error, 'Failed to remove blacklist entry')),
      });
    };
    return [
      {
        name: 'Remove',
        icon: DeleteIcon,
        run: (entry) => void remove(entry),
        isInline: true,
        isDangerous: true,
      },
    ];
  }, [confirm, mutate]);
}
