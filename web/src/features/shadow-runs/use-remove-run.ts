import type { ShadowRun } from '@sluice/contract';
import { useCallback } from 'react';
import { useConfirm } from '#components/ui/confirm.tsx';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { messageOf } from '#lib/describe-failure.ts';
import { formatQuantity } from '#lib/format-number.ts';
import { useDeleteShadowRun } from './queries.ts';

type Named = Pick<ShadowRun, 'id' | 'name' | 'requests'>;

export function useRemoveRun(onDeleted?: () => void) {
  const confirm = useConfirm();
  const { mutate } = useDeleteShadowRun();
  return useCallback(
    async (run: Named) => {
      const isAgreed = await confirm({
        title: `Delete ${run.name}?`,
        message: `The run and the results of its ${formatQuantity(run.requests, 'request')} cannot be restored.`,
        confirmLabel: 'Delete run',
        isDanger: true,
      });
      if (!isAgreed) return;
      mutate(run, {
        onSuccess: () => showSuccess(`${run.name} was deleted`),
        onError: (error) => showError(messageOf(error, 'Failed to delete the shadow run')),
        ...(onDeleted && { onSettled: (_message, error) => error === null && onDeleted() }),
      });
    },
    [confirm, mutate, onDeleted],
  );
}
