import { type BudgetDefault, createBudgetDefaultBody, findLimitProblem } from '@sluice/contract';
import { z } from 'zod';
import { Form } from '#components/forms/form.tsx';
import { NumberField } from '#components/forms/number-field.tsx';
import { SelectField } from '#components/forms/select-field.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { showSuccess } from '#components/ui/toasts.tsx';
import { actionOptionsFor, RouteField } from './change-forms.tsx';
import { measureOptions, SubjectSelect, windowFor } from './create-form.tsx';
import { DefaultPreview } from './default-preview.tsx';
import { limitField, periodOptions, useCreateBudgetDefault, useUpdateBudgetDefault } from './queries.ts';

const { action, limit, measure, window } = createBudgetDefaultBody.shape;

/** Validates the default budget form and converts it to the request body. */
const defaultForm = z
  .object({
    kind: z.enum(['tenant', 'team']),
    team_id: z.string(),
    measure,
    window,
    /** Validated below with the other fields, so that all problems of the form are shown together. */
    limit: z.unknown(),
    action: action.unwrap(),
    downgrade_to: z.string().trim().max(200),
  })
  .superRefine((values, { addIssue }) => {
    if (values.kind === 'team' && values.team_id === '')
      addIssue({ code: 'custom', path: ['team_id'], message: 'Select a team' });
    const checked = limit.safeParse(values.limit);
    const problem = checked.success
      ? findLimitProblem(values.measure, checked.data)
      : checked.error.issues[0]?.message;
    if (problem) addIssue({ code: 'custom', path: ['limit'], message: problem });
    if (values.action === 'downgrade' && values.downgrade_to === '')
      addIssue({ code: 'custom', path: ['downgrade_to'], message: 'Enter the model to downgrade to' });
  })
  .transform(({ kind, team_id, limit: amount, downgrade_to, ...values }) => ({
    ...values,
    window: windowFor(values),
    limit: Number(amount),
    team_id: kind === 'team' ? Number(team_id) : null,
    downgrade_to: values.action === 'downgrade' ? downgrade_to : null,
  }));

const initialValues = {
  kind: 'team',
  team_id: '',
  measure: 'usd',
  window: 'month',
  limit: '',
  action: 'refuse',
  downgrade_to: '',
};

const kindOptions = [
  { value: 'team', label: 'Each member of a team' },
  { value: 'tenant', label: 'Each user of the organization' },
];

export function CreateDefaultForm({ onSaved }: { onSaved: () => void }) {
  const { mutateAsync } = useCreateBudgetDefault();
  const form = useContractForm({ schema: defaultForm, initialValues });
  const { values } = form;
  const parsed = defaultForm.safeParse(values);
  return (
    <Form
      form={form}
      submitLabel="Set default"
      pendingLabel="Saving..."
      fallbackProblem="Failed to set the default budget"
      onSubmit={async (body) => {
        await mutateAsync({ body });
        showSuccess('The default budget was set');
        onSaved();
      }}
    >
      <SelectField label="For" options={kindOptions} data-autofocus {...form.bind('kind')} />
      {values.kind === 'team' && <SubjectSelect field="team_id" binding={form.bind('team_id')} />}
      <SelectField label="Counted in" options={measureOptions} {...form.bind('measure')} />
      <NumberField label="Limit" emptyMeans="absent" {...limitField(values)} {...form.bind('limit')} />
      {values.measure !== 'parallel_requests' && (
        <SelectField label="Period" options={periodOptions} {...form.bind('window')} />
      )}
      <SelectField label="At the limit" options={actionOptionsFor(values.measure)} {...form.bind('action')} />
      {values.action === 'downgrade' && <RouteField {...form.bind('downgrade_to')} />}
      <DefaultPreview change={parsed.success ? parsed.data : null} />
    </Form>
  );
}

const editForm = z.object({ limit });

interface EditDefaultFormProps {
  budget: BudgetDefault;
  onSaved: () => void;
}

export function EditDefaultForm({ budget, onSaved }: EditDefaultFormProps) {
  const { mutateAsync } = useUpdateBudgetDefault();
  const form = useContractForm({ schema: editForm, initialValues: { limit: budget.limit } });
  const parsed = editForm.safeParse(form.values);
  return (
    <Form
      form={form}
      submitLabel="Update default"
      pendingLabel="Updating..."
      fallbackProblem="Failed to update the default budget"
      needsChange
      onSubmit={async (body) => {
        await mutateAsync({ params: { id: budget.id }, body });
        showSuccess('The default budget was updated');
        onSaved();
      }}
    >
      <NumberField
        label="Limit"
        emptyMeans="absent"
        {...limitField(budget)}
        data-autofocus
        {...form.bind('limit')}
      />
      <DefaultPreview change={parsed.success ? { ...budget, ...parsed.data } : null} />
    </Form>
  );
}
