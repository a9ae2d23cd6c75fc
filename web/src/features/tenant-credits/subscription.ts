import type { Subscription } from '@sluice/contract';
import { useConfirm } from '#components/ui/confirm.tsx';
import type { StatusKind } from '#components/ui/status-mark.tsx';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { messageOf } from '#lib/describe-failure.ts';
import { formatPlanPrice } from '#lib/format-money.ts';
import { formatDay } from '#lib/format-time.ts';
import { useCancelSubscription } from './billing-queries.ts';

export const subscriptionMarks: Readonly<
  Record<NonNullable<Subscription['status']>, { kind: StatusKind; text: string }>
> = {
  trialing: { kind: 'pending', text: 'Trial' },
  active: { kind: 'ok', text: 'Active' },
  past_due: { kind: 'warn', text: 'Past due' },
  canceled: { kind: 'off', text: 'Canceled' },
};

const refused = 'new requests are refused; users can still sign in and read';

/** Describes what happens next if the tenant does nothing, with the severity. */
export function describeOutlook(subscription: Subscription): { kind: 'ok' | 'warn' | 'bad'; text: string } {
  const { plan, status, ends_at, renews_at, suspends_at, tenant_status, failure } = subscription;
  const end = suspends_at === null ? '' : formatDay(suspends_at);
  switch (status) {
    case null:
      return { kind: 'ok', text: 'No plan is selected. There is no monthly charge.' };
    case 'canceled':
      return { kind: 'bad', text: `The subscription has ended: ${refused}. Choose a plan to continue.` };
    case 'past_due': {
      const why = failure === null ? 'The payment failed' : `The payment failed: ${failure}`;
      return tenant_status === 'suspended'
        ? { kind: 'bad', text: `${why} Until the plan is paid ${refused}.` }
        : { kind: 'warn', text: `${why} Pay before ${end}. After that, ${refused}.` };
    }
    default:
      if (ends_at !== null)
        return {
          kind: 'warn',
          text: `Canceled. It stays active until ${formatDay(ends_at)}; after that ${refused}.`,
        };
      if (renews_at === null)
        return { kind: 'warn', text: `No card is saved. Add a card before ${end}. After that, ${refused}.` };
      return {
        kind: 'ok',
        text: `${formatPlanPrice(plan?.price_monthly ?? 0)} will be charged to the default card on ${formatDay(renews_at)}, and every month after that.`,
      };
  }
}

export const isRunning = ({ status }: Pick<Subscription, 'status'>): boolean =>
  status !== null && status !== 'canceled';

/** Names the effect and when the cancellation applies. */
function describeCancellation(ends: string | null, isPastDue: boolean): string {
  if (isPastDue || ends === null) return `It ends immediately: ${refused}.`;
  return `It stays active until ${formatDay(ends)}. After that, ${refused}.`;
}

/** The confirmation names the end date. */
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
      inUse: { of: {}, tenantId },
      confirmLabel: 'Cancel subscription',
      cancelLabel: 'Keep it',
      isDanger: true,
    });
    if (!isAgreed) return;
    cancel.mutate(undefined, {
      onSuccess: () => showSuccess('Subscription canceled'),
      onError: (error) => showError(messageOf(error, 'Failed to cancel the subscription')),
    });
  };
  return { ask, isPending: cancel.isPending };
}
