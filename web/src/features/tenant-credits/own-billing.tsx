import { Button } from '@mantine/core';
import type { Subscription } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Fact, FactList } from '#components/ui/fact-list.tsx';
import { Failure, Notice } from '#components/ui/notice.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { describeFailure, messageOf } from '#lib/describe-failure.ts';
import { formatPlanPrice } from '#lib/format-money.ts';
import { formatDay } from '#lib/format-time.ts';
import { paymentSetupQuery } from '#lib/payment-setup.ts';
import { currentUserQuery } from '#lib/session.ts';
import styles from './billing.module.css';
import { subscriptionQuery, usePaySubscription } from './billing-queries.ts';
import { ChoosePlanDialog } from './choose-plan-dialog.tsx';
import { PaymentMethodsPanel } from './payment-methods-panel.tsx';
import { describeOutlook, isRunning, subscriptionMarks, useCancellation } from './subscription.ts';

/** Renders nothing if payments are not set up. Names the tenant if shown below a list of tenants. */
export function OwnBilling({ isBelowTenants }: { isBelowTenants: boolean }) {
  const { data: setup } = useQuery(paymentSetupQuery);
  const { data: user } = useQuery(currentUserQuery);
  if (!setup?.provider) return null;
  return (
    <>
      {isBelowTenants && user && (
        <p className={`quiet ${styles.panel}`}>Plan and cards of your own organization, {user.tenant.name}</p>
      )}
      <SubscriptionPanel />
      <PaymentMethodsPanel setup={setup} />
    </>
  );
}

/** Shows the next renewal or end date. */
export function SubscriptionPanel() {
  const answer = useQuery(subscriptionQuery);
  const failure = describeFailure(answer, 'Failed to fetch the subscription');
  return (
    <section className={styles.panel} aria-labelledby="subscription" aria-busy={answer.isFetching}>
      <div className={styles.head}>
        <h2 id="subscription">Subscription</h2>
        {answer.data && <Deeds subscription={answer.data} />}
      </div>
      {failure && <Failure {...failure} />}
      {!failure && !answer.data && <SkeletonLines count={3} />}
      {answer.data && <Facts subscription={answer.data} />}
    </section>
  );
}

function Facts({ subscription }: { subscription: Subscription }) {
  const { plan, status, trial_ends_at, renews_at, ends_at } = subscription;
  const outlook = describeOutlook(subscription);
  if (status === null || plan === null) return <p className="quiet">{outlook.text}</p>;
  const mark = subscriptionMarks[status];
  return (
    <>
      <FactList>
        <Fact name="Plan">
          {plan.name}, {formatPlanPrice(plan.price_monthly)} per month
        </Fact>
        <Fact name="Status">
          <StatusMark kind={mark.kind}>{mark.text}</StatusMark>
        </Fact>
        {status === 'trialing' && trial_ends_at && <Fact name="Trial ends">{formatDay(trial_ends_at)}</Fact>}
        {renews_at && <Fact name="Next renewal">{formatDay(renews_at)}</Fact>}
        {ends_at && <Fact name={status === 'canceled' ? 'Ended' : 'Ends'}>{formatDay(ends_at)}</Fact>}
      </FactList>
      <div className={styles.notice}>
        <Notice kind={outlook.kind} title={outlook.text} />
      </div>
    </>
  );
}

function Deeds({ subscription }: { subscription: Subscription }) {
  const [isChoosing, setChoosing] = useState(false);
  const pay = usePaySubscription();
  const cancellation = useCancellation(undefined);
  const { plan, status, ends_at, trial_ends_at, renews_at } = subscription;
  const canCancel = isRunning(subscription) && ends_at === null;
  const paidUntil = renews_at ?? trial_ends_at;
  return (
    <div className={styles.buttons}>
      {status === 'past_due' && (
        <Button
          data-pending={pay.isPending || undefined}
          onClick={() =>
            pay.mutate(undefined, {
              onSuccess: () => showSuccess('The plan is paid'),
              onError: (error) => showError(messageOf(error, 'Payment failed')),
            })
          }
        >
          Pay {formatPlanPrice(plan?.price_monthly ?? 0)} now
        </Button>
      )}
      <Button variant="default" onClick={() => setChoosing(true)}>
        {isRunning(subscription) ? 'Change plan' : 'Choose plan'}
      </Button>
      {canCancel && (
        <Button
          variant="default"
          data-pending={cancellation.isPending || undefined}
          onClick={() =>
            void cancellation.ask({
              name: `${plan?.name ?? ''} plan`,
              ends: paidUntil,
              isPastDue: status === 'past_due',
            })
          }
        >
          Cancel
        </Button>
      )}
      <ChoosePlanDialog
        title={isRunning(subscription) ? 'Change plan' : 'Choose plan'}
        tenantId={undefined}
        currentPlanId={canCancel ? (plan?.id ?? null) : null}
        isOpen={isChoosing}
        onClose={() => setChoosing(false)}
      />
    </div>
  );
}
