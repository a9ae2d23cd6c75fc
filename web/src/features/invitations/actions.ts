import type { Invitation } from '@sluice/contract';
import { useMemo } from 'react';
import type { RowAction } from '../../components/data-table/row-action.ts';
import { CancelIcon, SendAgainIcon } from '../../components/ui/action-icons.ts';
import { useConfirm } from '../../components/ui/confirm.tsx';
import { showError, showSuccess } from '../../components/ui/toasts.tsx';
import { messageOf } from '../../lib/message-of.ts';
import { useCancelInvitation, useResendInvitation } from './queries.ts';

/** Actions of an invitation. */
export function useInvitationActions(): readonly RowAction<Invitation>[] {
  const confirm = useConfirm();
  const { mutate: resend } = useResendInvitation();
  const { mutate: cancel } = useCancelInvitation();
  return useMemo(
    () => [
      {
        name: 'Resend',
        icon: SendAgainIcon,
        isInline: true,
        isHidden: ({ status }) => status !== 'pending' && status !== 'expired',
        run: ({ id, email }) =>
          resend(
            { params: { id } },
            {
              onSuccess: () => showSuccess(`${email} was invited again`),
              onError: (error) => showError(messageOf(error, 'Failed to resend invitation')),
            },
          ),
      },
      {
        name: 'Cancel',
        icon: CancelIcon,
        isInline: true,
        isDangerous: true,
        isHidden: ({ status }) => status !== 'pending',
        run: async ({ id, email }) => {
          const isAgreed = await confirm({
            title: 'Cancel the invitation?',
            message: `The link that ${email} has will no longer work.`,
            confirmLabel: 'Cancel invitation',
            cancelLabel: 'Keep it',
            isDanger: true,
          });
          if (!isAgreed) return;
          cancel(
            { params: { id } },
            {
              onSuccess: () => showSuccess(`The invitation of ${email} is cancelled`),
              onError: (error) => showError(messageOf(error, 'Failed to cancel invitation')),
            },
          );
        },
      },
    ],
    [confirm, resend, cancel],
  );
}
