import {
  createBudgetBody,
  findLimitProblem,
  llmProvidersRoutes,
  modelPattern,
  routeToMissing,
  tasksRoutes,
  teamsRoutes,
  usersRoutes,
} from '@sluice/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { Form } from '#components/forms/form.tsx';
import { NumberField } from '#components/forms/number-field.tsx';
import { SelectField, type SelectOption } from '#components/forms/select-field.tsx';
import { TextField } from '#components/forms/text-field.tsx';
import { type ContractForm, useContractForm } from '#components/forms/use-contract-form.ts';
import { showSuccess } from '#components/ui/toasts.tsx';
import { createApiClient } from '#lib/api.ts';
import { actionOptions, RouteField } from './change-forms.tsx';
import { periodOptions, useCreateBudget } from './queries.ts';

const users = createApiClient(usersRoutes);
const teams = createApiClient(teamsRoutes);
const tasks = createApiClient(tasksRoutes);
const providers = createApiClient(llmProvidersRoutes);

/** Ids that each kind of subject requires. */
const subjectFields = {
  tenant: [],
  team: ['team_id'],
  member: ['team_id', 'user_id'],
  user: ['user_id'],
  task: ['task_id'],
  provider: ['llm_provider_id'],
} as const;

type SubjectField = (typeof subjectFields)['member'][number] | 'task_id' | 'llm_provider_id';

const subjectOptions = [
  { value: 'tenant', label: 'Whole organization' },
  { value: 'team', label: 'Team' },
  { value: 'member', label: 'Member within a team' },
  { value: 'user', label: 'User' },
  { value: 'task', label: 'Task' },
  { value: 'provider', label: 'Provider' },
];

const labels: Readonly<Record<SubjectField, string>> = {
  team_id: 'Team',
  user_id: 'User',
  task_id: 'Task',
  llm_provider_id: 'Provider',
};

const { limit, measure, period } = createBudgetBody.shape;

/** The contract's fields, with one kind of subject. */
export const budgetForm = z
  .object({
    kind: z.enum(['tenant', 'team', 'member', 'user', 'task', 'provider']),
    team_id: z.string(),
    user_id: z.string(),
    task_id: z.string(),
    llm_provider_id: z.string(),
    model_pattern: modelPattern,
    measure,
    period,
    /** Checked below, so that all problems of the form are shown at once. */
    limit: z.unknown(),
    action: createBudgetBody.shape.action.unwrap(),
    route_to: z.string().trim().max(200),
  })
  .superRefine((values, { addIssue }) => {
    for (const field of subjectFields[values.kind]) {
      if (values[field] === '')
        addIssue({ code: 'custom', path: [field], message: `Select a ${labels[field].toLowerCase()}` });
    }
    const checked = limit.safeParse(values.limit);
    const problem = checked.success
      ? findLimitProblem(values.measure, checked.data)
      : checked.error.issues[0]?.message;
    if (problem) addIssue({ code: 'custom', path: ['limit'], message: problem });
    if (values.action === 'route' && values.route_to === '')
      addIssue({ code: 'custom', path: ['route_to'], message: routeToMissing });
  })
  .transform(({ action, kind, limit: amount, measure: unit, model_pattern, period: length, ...values }) => ({
    ...Object.fromEntries(subjectFields[kind].map((field) => [field, Number(values[field])])),
    ...(model_pattern !== '' && { model_pattern }),
    measure: unit,
    period: length,
    limit: Number(amount),
    action,
    ...(action === 'route' && { route_to: values.route_to }),
  }));

const initialValues = {
  kind: 'team',
  team_id: '',
  user_id: '',
  task_id: '',
  llm_provider_id: '',
  model_pattern: '',
  measure: 'usd',
  period: 'month',
  limit: '',
  action: 'refuse',
  route_to: '',
};

const measureOptions = [
  { value: 'usd', label: 'US dollars' },
  { value: 'tokens', label: 'Tokens' },
  { value: 'requests', label: 'Requests' },
];

/** Form of a new budget. */
export function CreateBudgetForm({ onSaved }: { onSaved: () => void }) {
  const { mutateAsync } = useCreateBudget();
  const form = useContractForm({ schema: budgetForm, initialValues });
  const { action, measure: unit } = form.values;
  return (
    <Form
      form={form}
      submitLabel="Create Budget"
      pendingLabel="Creating..."
      fallbackProblem="Failed to create the budget"
      onSubmit={async (body) => {
        await mutateAsync({ body });
        showSuccess('The budget was created');
        onSaved();
      }}
    >
      <SubjectFields form={form} />
      <TextField
        label="Models (optional)"
        placeholder="gpt-5*"
        description="* matches any characters. List several names in braces: {gpt-5,o1*}"
        autoCapitalize="none"
        spellCheck={false}
        {...form.bind('model_pattern')}
      />
      <SelectField label="Counted in" options={measureOptions} {...form.bind('measure')} />
      <NumberField
        label="Limit"
        emptyMeans="absent"
        isMoney={unit === 'usd'}
        unit={unit === 'usd' ? undefined : unit}
        {...form.bind('limit')}
      />
      <SelectField label="Period" options={periodOptions} {...form.bind('period')} />
      <SelectField label="At the limit" options={actionOptions} {...form.bind('action')} />
      {action === 'route' && <RouteField {...form.bind('route_to')} />}
      <p className="quiet">
        Users are notified at 80% and 100%. The highest possible cost of a request is reserved before it is
        sent, so the limit is exceeded only if a provider bills more than that.
      </p>
    </Form>
  );
}

function SubjectFields({
  form,
}: {
  form: Pick<ContractForm<typeof initialValues, unknown>, 'values' | 'bind'>;
}) {
  const { kind } = form.values;
  // safe because the options are the keys
  const fields: readonly SubjectField[] = subjectFields[kind as keyof typeof subjectFields];
  return (
    <>
      <SelectField label="Applies to" options={subjectOptions} data-autofocus {...form.bind('kind')} />
      {fields.map((field) => (
        <SubjectSelect key={field} field={field} binding={form.bind(field)} />
      ))}
    </>
  );
}

const choices: Readonly<Record<SubjectField, () => Promise<SelectOption[]>>> = {
  team_id: async () =>
    (await teams.listTeams({ query: {} })).teams.map(({ id, name }) => ({ value: id, label: name })),
  user_id: async () =>
    (await users.listUsers({ query: {} })).map(({ id, name, email }) => ({
      value: id,
      label: name,
      note: email,
    })),
  task_id: async () =>
    (await tasks.listTasks({ query: {} })).map(({ id, title }) => ({ value: id, label: title })),
  llm_provider_id: async () =>
    (await providers.listLlmProviders()).map(({ id, provider_instance_name }) => ({
      value: id,
      label: provider_instance_name,
    })),
};

const choicesQuery = (field: SubjectField) =>
  queryOptions({ queryKey: ['budgets', 'choices', field], queryFn: choices[field] });

function SubjectSelect({ field, binding }: { field: SubjectField; binding: object }) {
  const { data = [], isPending } = useQuery(choicesQuery(field));
  const label = labels[field];
  return (
    <SelectField
      label={label}
      options={data}
      isLoading={isPending}
      placeholder={`Select a ${label.toLowerCase()}`}
      {...binding}
    />
  );
}
