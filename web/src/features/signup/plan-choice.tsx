import type { BillingCycle, Plan } from '@sluice/contract';
import { useId } from 'react';
import { SwitchField } from '../../components/forms/checked-fields.tsx';
import { formatPlanSeats } from '../../lib/plans.ts';
import styles from './plan-choice.module.css';
import { formatPrice, isFree, savingsPercent } from './plan-price.ts';

interface PlanChoiceProps {
  plans: readonly Plan[];
  chosenId: string;
  cycle: BillingCycle;
  onChoose: (id: string) => void;
  onCycle: (cycle: BillingCycle) => void;
}

/** Plans as cards, one of which is selected, with a switch for yearly billing. */
export function PlanChoice({ plans, chosenId, cycle, onChoose, onCycle }: PlanChoiceProps) {
  const name = useId();
  const chosen = plans.find(({ id }) => id === chosenId);
  return (
    <>
      <fieldset className={styles.plans}>
        <legend>Plan</legend>
        {plans.map((plan) => (
          <label key={plan.id} className={styles.plan}>
            <input
              type="radio"
              name={name}
              value={plan.id}
              checked={plan.id === chosenId}
              onChange={() => onChoose(plan.id)}
            />
            <span className={styles.name}>{plan.name}</span>
            <span className={`num ${styles.price}`}>{formatPrice(plan, cycle)}</span>
            <span className={styles.seats}>{formatPlanSeats(plan)}</span>
          </label>
        ))}
      </fieldset>
      {plans.some((plan) => !isFree(plan)) && !(chosen && isFree(chosen)) && (
        <SwitchField
          label="Yearly billing"
          description={`Saves ${savingsPercent(chosen ?? firstPaid(plans))}%`}
          checked={cycle === 'yearly'}
          onChange={({ currentTarget }) => onCycle(currentTarget.checked ? 'yearly' : 'monthly')}
        />
      )}
    </>
  );
}

const noPrice = { price_monthly: 0, price_yearly: 0 };

const firstPaid = (plans: readonly Plan[]) => plans.find((plan) => !isFree(plan)) ?? noPrice;
