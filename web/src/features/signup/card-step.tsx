import { Button } from '@mantine/core';
import type { Plan } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Failure, Notice } from '#components/ui/notice.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { paymentSetupQuery } from '#lib/payment-setup.ts';
import { formatPrice, isFree } from '#lib/plan-price.ts';
import type { DraftProblem, SignupDraft } from './draft.ts';
import { SimulatedCard } from './simulated-card.tsx';
import styles from './steps.module.css';
import { type AccountCreation, useAccountCreation } from './use-account-creation.ts';

/** Loaded separately, because the form includes Stripe's script. */
const StripeCard = lazyPart(() => import('./stripe-card.tsx'), 'StripeCard', <SkeletonLines count={3} />);

interface CardStepProps {
  draft: SignupDraft;
  plan: Plan;
  trialDays: number;
  onBack: () => void;
  /** The problem is `null` if the server did not name a field. */
  onRefused: (problem: DraftProblem | null) => void;
  onCreated: (needsConfirmation: boolean) => void;
}

export function CardStep({ draft, plan, trialDays, onBack, onRefused, onCreated }: CardStepProps) {
  const creation = useAccountCreation({ draft, onCreated, onAccountRefused: onRefused });
  return (
    <div className={styles.card}>
      <div className={styles.summary}>
        <strong>{plan.name}</strong>
        <span className="num">{formatPrice(plan, 'monthly')}</span>
        <p className="quiet">
          {isFree(plan)
            ? 'The card is saved and not charged.'
            : `Nothing is charged for ${trialDays} days. You can cancel before then.`}
        </p>
      </div>
      <div role="alert">
        {creation.problem !== null && <StatusMark kind="bad">{creation.problem}</StatusMark>}
      </div>
      {creation.readyCard ? <TryAgain {...creation} /> : <Card creation={creation} plan={plan} />}
      {creation.step === 'card' && (
        <div className={styles.buttons}>
          <Button variant="default" onClick={onBack}>
            Back
          </Button>
        </div>
      )}
    </div>
  );
}

/** Retries after a lost response to the account request. The card is already saved. */
function TryAgain({ step, readyCard, createAccount, forgetCard }: AccountCreation) {
  return (
    <Notice kind="ok" title="Your card is set up. The account is not confirmed yet.">
      <div className={styles.buttons}>
        <Button
          aria-disabled={step === 'processing'}
          onClick={() => step !== 'processing' && readyCard && void createAccount(readyCard)}
        >
          Try Again
        </Button>
        <Button variant="default" onClick={forgetCard}>
          Use another card
        </Button>
      </div>
    </Notice>
  );
}

function Card({ creation, plan }: { creation: AccountCreation; plan: Plan }) {
  const answer = useQuery(paymentSetupQuery);
  const failure = describeFailure(answer, 'Failed to load the payment settings');
  if (failure) return <Failure {...failure} />;
  if (!answer.data) return <SkeletonLines count={3} />;
  const { provider, publishable_key: publishableKey } = answer.data;
  if (provider === null)
    return (
      <Notice kind="bad" title="Payments are not set up.">
        The operator can set the Stripe keys.
      </Notice>
    );
  if (publishableKey === null) return <SimulatedCard creation={creation} plan={plan} />;
  return <StripeCard creation={creation} plan={plan} publishableKey={publishableKey} />;
}
