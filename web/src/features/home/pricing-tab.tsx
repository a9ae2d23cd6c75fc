import { Button } from '@mantine/core';
import type { Plan } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Failure } from '#components/ui/notice.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { formatPlanPrice } from '#lib/format-money.ts';
import { formatPrice, isFree, savingsPercent } from '#lib/plan-price.ts';
import { formatPlanSeats, plansQuery } from '#lib/plans.ts';
import { signupSetupQuery } from '#lib/signup-setup.ts';
import styles from './tabs.module.css';

export function PricingTab() {
  const answer = useQuery(plansQuery);
  const signup = useQuery(signupSetupQuery);
  const hasSignup = signup.data?.is_open === true;
  const failure = describeFailure(answer, 'Failed to fetch plans');
  return (
    <section className={styles.section}>
      <h1>Pricing</h1>
      <p className={styles.intro}>
        Every plan starts with a 14-day trial and includes all features. Plans differ in the number of users.
      </p>
      {failure && <Failure {...failure} />}
      {answer.isPending && <SkeletonLines count={6} />}
      <ul className={styles.plans}>
        {answer.data?.map((plan) => (
          <PlanCard key={plan.id} plan={plan} hasSignup={hasSignup} />
        ))}
      </ul>
      {signup.data?.is_open === false && (
        <p className="quiet">Accounts are created by invitation. Ask the operator of this gateway.</p>
      )}
    </section>
  );
}

function PlanCard({ plan, hasSignup }: { plan: Plan; hasSignup: boolean }) {
  return (
    <li className={styles.plan}>
      <h2>{plan.name}</h2>
      <p className={styles.price}>
        <span className="num">{formatPlanPrice(plan.price_monthly)}</span> per month
      </p>
      <p className={`num ${styles.yearly}`}>
        {!isFree(plan) && `${formatPrice(plan, 'yearly')}, saves ${savingsPercent(plan)}%`}
      </p>
      <p className={styles.seats}>{formatPlanSeats(plan)}</p>
      <p className="quiet">{plan.description}</p>
      {hasSignup && (
        <Button renderRoot={(props) => <Link to="/signup" search={{ plan: plan.id }} {...props} />}>
          Start the trial
        </Button>
      )}
    </li>
  );
}
