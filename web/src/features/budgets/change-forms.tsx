import {
  type Budget,
  downgradeToMissing,
  findActionProblem,
  raiseBudgetBody,
  updateBudgetBody,
} from '@sluice/contract';
import { z } from 'zod';
import { Form } from '#components/forms/form.tsx';
import { NumberField } from '#components/forms/number-field.tsx';
import { SelectField } from '#components/forms/select-field.tsx';
import { DayField, TextField } from '#components/forms/text-field.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { showSuccess } from '#components/ui/toasts.tsx';
import { describeLimit, limitField, subjectOf, useRaiseBudget, useUpdateBudget } from './queries.ts';

interface BudgetFormProps {
  budget: Budget;
  onSaved: () => void;
}

const actionOptions = [
  { value: 'refuse', label: 'Refuse requests' },
  { value: 'downgrade', label: 'Send requests to another model' },
  { value: 'warn', label: 'Notify only' },
] as const;

export const actionOptionsFor = (measure: string) =>
  actionOptions.filter(({ value }) => findActionProblem(measure as Budget['measure'], value) === null);

/** An empty model name becomes `null`. */
const editForm = z
  .object({
    limit: updateBudgetBody.shape.limit.unwrap(),
    action: updateBudgetBody.shape.action.unwrap(),
    downgrade_to: z.string().trim().max(200),
  })
  .refine(({ action, downgrade_to }) => action !== 'downgrade' || downgrade_to !== '', {
    path: ['downgrade_to'],
    message: downgradeToMissing,
  })
  .transform(({ downgrade_to, ...body }) => ({
    ...body,
    downgrade_to: body.action === 'downgrade' ? downgrade_to : null,
  }));

export function EditBudgetForm({ budget, onSaved }: BudgetFormProps) {
  const { mutateAsync } = useUpdateBudget();
  const form = useContractForm({
    schema: editForm,
    initialValues: { limit: budget.limit, action: budget.action, downgrade_to: budget.downgrade_to ?? '' },
  });
  return (
    <Form
      form={form}
      submitLabel="Update budget"
      pendingLabel="Updating..."
      fallbackProblem="Failed to update the budget"
      needsChange
      onSubmit={async (body) => {
        await mutateAsync({ params: { id: budget.id }, body });
        showSuccess('The budget was updated');
        onSaved();
      }}
    >
      <p>
        {subjectOf(budget)}: {describeLimit(budget)}
      </p>
      <NumberField
        label="Limit"
        emptyMeans="absent"
        {...limitField(budget)}
        data-autofocus
        {...form.bind('limit')}
      />
      <SelectField label="At the limit" options={actionOptionsFor(budget.measure)} {...form.bind('action')} />
      {form.values.action === 'downgrade' && <RouteField {...form.bind('downgrade_to')} />}
    </Form>
  );
}

export function RouteField(props: object) {
  return (
    <TextField
      label="Model"
      description="A model name or alias that the caller is allowed to use. Responses name the model in the header x-sluice-budget-route."
      autoCapitalize="none"
      spellCheck={false}
      {...props}
    />
  );
}

/** Uses the browser's time zone. */
export function dayFromNow(days: number): string {
  const now = new Date();
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() + days);
  const twoDigits = (part: number) => String(part).padStart(2, '0');
  return `${day.getFullYear()}-${twoDigits(day.getMonth() + 1)}-${twoDigits(day.getDate())}`;
}

/** Converts a day to its last second in the browser's time zone. */
export const lastDay = z
  .string()
  .refine((day) => day !== '', 'Select the last day')
  .refine((day) => day === '' || day >= dayFromNow(0), 'The last day must not be in the past')
  .transform((day) => {
    const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
    return new Date(year, month - 1, date, 23, 59, 59).toISOString();
  });

/** The user enters `until` as the last day. */
const raiseForm = z.object({
  limit: raiseBudgetBody.shape.limit,
  until: lastDay,
  reason: raiseBudgetBody.shape.reason,
});

export function RaiseBudgetForm({ budget, onSaved }: BudgetFormProps) {
  const { mutateAsync } = useRaiseBudget();
  const form = useContractForm({
    schema: raiseForm,
    initialValues: { limit: '', until: dayFromNow(1), reason: '' },
  });
  return (
    <Form
      form={form}
      submitLabel="Raise budget"
      pendingLabel="Raising..."
      fallbackProblem="Failed to raise the budget"
      onSubmit={async (body) => {
        await mutateAsync({ params: { id: budget.id }, body });
        showSuccess('The budget was raised');
        onSaved();
      }}
    >
      <p>
        {subjectOf(budget)}: {describeLimit(budget)}. The raised limit applies immediately and expires
        automatically.
      </p>
      <NumberField
        label="Limit until then"
        emptyMeans="absent"
        {...limitField(budget)}
        data-autofocus
        {...form.bind('limit')}
      />
      <DayField label="Last day" min={dayFromNow(0)} {...form.bind('until')} />
      <TextField label="Reason" description="Recorded in the audit log." {...form.bind('reason')} />
    </Form>
  );
}
