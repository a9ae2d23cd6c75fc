import { useConfirm } from '../../components/ui/confirm.tsx';
import { showError, showSuccess } from '../../components/ui/toasts.tsx';
import { messageOf } from '../../lib/message-of.ts';
import { useCancelSubscription } from './billing-queries.ts';
import { describeCancellation } from './subscription-text.ts';

/** Cancels after a confirmation that names the end date. */
export function useCancellation(tenantId: number | undefined) {
  const confirm = useConfirm();
  const cancel = useCancelSubscription(tenantId);
  const ask = async ({
    name,
    ends,
    isPastDue,
  }: {
    name: string;
    ends: string | null;
    isPastDue: boolean;
  }) => {
    const isAgreed = await confirm({
      title: `Cancel the ${name}?`,
      message: describeCancellation(ends, isPastDue),
      confirmLabel: 'Cancel subscription',
      cancelLabel: 'Keep it',
      isDanger: true,
    });
    if (!isAgreed) return;
    cancel.mutate(undefined, {
      onSuccess: () => showSuccess('Subscription cancelled'),
      onError: (error) => showError(messageOf(error, 'Failed to cancel the subscription')),
    });
  };
  return { ask, isPending: cancel.isPending };
}
