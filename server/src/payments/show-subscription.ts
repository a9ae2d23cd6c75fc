import type { BannerDraft } from '#banners/banners.ts';
import { lowerBanner, raiseBanner } from '#banners/banners.ts';
import type { SystemDatabase } from '#db/system.ts';
import { formatUtcTime } from '#domain/format-time.ts';
import { findStanding, type SubscriptionState } from '#domain/subscription-standing.ts';

/** Number of days before the end of a trial without a card when administrators are notified. */
export const trialNoticeDays = 3;

interface Shown extends SubscriptionState {
  readonly tenantId: number;
  readonly failure: string | null;
}

/** Removes the banner if there is no problem. */
export async function showSubscription(tx: SystemDatabase, subscription: Shown, now: Date): Promise<void> {
  const { tenantId } = subscription;
  const id = `subscription-${tenantId}`;
  const words = findWords(subscription, now);
  if (words) await raiseBanner(tx, { id, tenantId, audience: 'admin', ...words });
  else await lowerBanner(tx, id);
}

function findWords(subscription: Shown, now: Date): Pick<BannerDraft, 'severity' | 'message'> | null {
  const { status, failure } = subscription;
  const { tenantStatus, suspendsAt } = findStanding(subscription, now);
  if (tenantStatus === 'suspended')
    return {
      severity: 'error',
      message:
        status === 'canceled'
          ? 'Your subscription has ended, so new requests are refused. Choose a plan under Tenant Credits.'
          : 'Your subscription is unpaid, so new requests are refused. Pay it under Tenant Credits.',
    };
  if (!suspendsAt) return null;
  if (status === 'past_due')
    return {
      severity: 'warning',
      message: `The payment for your plan failed${failure ? ` (${failure})` : ''}. Pay under Tenant Credits. Starting ${formatUtcTime(suspendsAt)}, new requests are refused.`,
    };
  const isSoon = suspendsAt.getTime() - now.getTime() < trialNoticeDays * 86_400_000;
  if (status !== 'trialing' || !isSoon || subscription.endsAt) return null;
  return {
    severity: 'warning',
    message: `Your trial ends on ${formatUtcTime(suspendsAt)}. Add a card under Tenant Credits; otherwise new requests are refused after that.`,
  };
}
