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
import { TextField } from '#components/forms/text-field.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { showSuccess } from '#components/ui/toasts.tsx';
import { describeLimit, limitField, subjectOf, useRaiseBudget, useUpdateBudget } from './queries.ts';

interface BudgetFormProps {
  budget: Budget;
  onSaved: () => void;
}

const actionOptions = [
  { value: 'refuse', label: 'Reject requests' },
  { value: 'downgrade', label: 'Send requests to another model' },
  { value: 'warn', label: 'Notify only' },
] as const;

/** Options of a field for what happens at the limit. */
export const actionOptionsFor = (measure: string) =>
  actionOptions.filter(({ value }) => findActionProblem(measure as Budget['measure'], value) === null);

/** The contract's fields; an empty model name becomes `null`. */
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

/** Changes the limit of a budget and what happens at it. */
export function EditBudgetForm({ budget, onSaved }: BudgetFormProps) {
  const { mutateAsync } = useUpdateBudget();
  const form = useContractForm({
    schema: editForm,
    initialValues: { limit: budget.limit, action: budget.action, downgrade_to: budget.downgrade_to ?? '' },
  });
  return (
    <Form
      form={form}
      submitLabel="Update Budget"
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

/** Name of the cheaper model. */
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

const dayMs = 86_400_000;

/** Options for the end of a raise, in days from now. */
export const raiseEnds = [
  { value: '1', label: 'For 1 day' },
  { value: '3', label: 'For 3 days' },
  { value: '7', label: 'For 1 week' },
  { value: '30', label: 'For 30 days' },
];

/** Returns the instant that is this number of days from now. */
export const raiseUntil = (days: string): string => new Date(Date.now() + Number(days) * dayMs).toISOString();

/** The contract's fields, with `until` entered as days from now. */
const raiseForm = z
  .object({ limit: raiseBudgetBody.shape.limit, days: z.string(), reason: raiseBudgetBody.shape.reason })
  .transform(({ days, ...body }) => ({
    ...body,
    until: raiseUntil(days),
  }));

/** Raises the limit of a budget for some days. */
export function RaiseBudgetForm({ budget, onSaved }: BudgetFormProps) {
  const { mutateAsync } = useRaiseBudget();
  const form = useContractForm({
    schema: raiseForm,
    initialValues: { limit: budget.effective_limit, days: '1', reason: '' },
  });
  return (
    <Form
      form={form}
      submitLabel="Raise Budget"
      pendingLabel="Raising..."
      fallbackProblem="Failed to raise the budget"
      onSubmit={async (body) => {
        await mutateAsync({ params: { id: budget.id }, body });
        showSuccess('The budget was raised');
        onSaved();
      }}
    >
      <p>
        {subjectOf(budget)}: {describeLimit(budget)}. The raised limit applies at once and expires
        automatically.
      </p>
      <NumberField
        label="Limit until then"
        emptyMeans="absent"
        {...limitField(budget)}
        data-autofocus
        {...form.bind('limit')}
      />
      <SelectField label="Ends" options={raiseEnds} {...form.bind('days')} />
      <TextField label="Reason" description="Recorded in the audit log." {...form.bind('reason')} />
    </Form>
  );
}
