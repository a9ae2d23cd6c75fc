import type { ManagementToken } from '@sluice/contract';
import { useCallback } from 'react';
import { useConfirm } from '#components/ui/confirm.tsx';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { messageOf } from '#lib/describe-failure.ts';
import { formatLastUsed } from '#lib/format-time.ts';
import { useRevokeManagementToken } from './queries.ts';

export function useRevoke(): (token: ManagementToken) => Promise<void> {
  const confirm = useConfirm();
  const { mutateAsync: revoke } = useRevokeManagementToken();
  return useCallback(
    async (token) => {
      if (!(await confirm(askToRevoke(token)))) return;
      await revoke({ params: { id: token.id } }).then(
        () => showSuccess('Management token revoked'),
        (error: unknown) => showError(messageOf(error, 'Failed to revoke the management token')),
      );
    },
    [confirm, revoke],
  );
}

const askToRevoke = ({ name, user_name, last_used_at }: ManagementToken) => ({
  title: 'Revoke management token',
  message: `Requests that use ${user_name}'s token ${name} will be rejected immediately. Last used: ${formatLastUsed(last_used_at, Date.now())}. This cannot be undone.`,
  confirmLabel: 'Revoke token',
  isDanger: true,
});
