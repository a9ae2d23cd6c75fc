import type { Plan } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { NumberField } from '#components/forms/number-field.tsx';
import { SelectField } from '#components/forms/select-field.tsx';
import type { ContractForm } from '#components/forms/use-contract-form.ts';
import { formatPlanSeats, plansQuery } from '#lib/plans.ts';
import styles from './limit-fields.module.css';

export interface LimitValues {
  plan_id: string | null;
  user_limit: number | null;
  admin_limit: number | null;
}

interface LimitFieldsProps {
  form: Pick<ContractForm<LimitValues, unknown>, 'values' | 'bind' | 'setValue'>;
  /** Active users by role. Absent for a new tenant. */
  inUse?: { users: number; admins: number };
}

/** The limits of the plan can be overridden. */
export function LimitFields({ form, inUse }: LimitFieldsProps) {
  const plans = useQuery(plansQuery);
  const { onChange: _onChange, ...plan } = form.bind('plan_id');
  const choose = (id: string) => {
    const chosen = plans.data?.find((one) => one.id === id);
    form.setValue('plan_id', id === '' ? null : id);
    if (!chosen) return;
    form.setValue('user_limit', chosen.user_limit);
    form.setValue('admin_limit', chosen.admin_limit);
  };
  const numbers = { emptyMeans: 'unlimited', min: 0 } as const;
  return (
    <>
      <SelectField
        label="Plan"
        placeholder="No plan (custom limits)"
        options={(plans.data ?? []).map(toOption)}
        isLoading={plans.isPending}
        loadingText="Loading plans..."
        {...plan}
        onChange={choose}
      />
      <div className={styles.pair}>
        <NumberField
          label="User limit"
          description={inUse && `${inUse.users} in use`}
          {...numbers}
          {...form.bind('user_limit')}
        />
        <NumberField
          label="Admin limit"
          description={inUse && `${inUse.admins} in use`}
          {...numbers}
          {...form.bind('admin_limit')}
        />
      </div>
    </>
  );
}

const toOption = (plan: Plan) => ({ value: plan.id, label: plan.name, note: formatPlanSeats(plan) });
