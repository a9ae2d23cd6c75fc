import {
  type Budget,
  createBudgetBody,
  downgradeToMissing,
  findLimitProblem,
  llmProvidersRoutes,
  modelPattern,
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
import { measureNames } from '#lib/format-money.ts';
import { loadPages } from '#lib/load-pages.ts';
import { actionOptionsFor, RouteField } from './change-forms.tsx';
import { limitField, periodOptions, useCreateBudget } from './queries.ts';
import { BudgetReplay } from './replay.tsx';

const users = createApiClient(usersRoutes);
const teams = createApiClient(teamsRoutes);
const tasks = createApiClient(tasksRoutes);
const providers = createApiClient(llmProvidersRoutes);

/** Fields of the form by kind of budget subject. */
const subjectFields = {
  tenant: [],
  team: ['team_id'],
  member: ['team_id', 'user_id'],
  user: ['user_id'],
  service_account: ['service_account_id'],
  task: ['task_id'],
  provider: ['llm_provider_id'],
} as const;

type SubjectField = (typeof subjectFields)[keyof typeof subjectFields][number];

const subjectOptions = [
  { value: 'tenant', label: 'Whole organization' },
  { value: 'team', label: 'Team' },
  { value: 'member', label: 'Member within a team' },
  { value: 'user', label: 'User' },
  { value: 'service_account', label: 'Service account' },
  { value: 'task', label: 'Task' },
  { value: 'provider', label: 'Provider' },
];

const labels: Readonly<Record<SubjectField, string>> = {
  team_id: 'Team',
  user_id: 'User',
  service_account_id: 'Service account',
  task_id: 'Task',
  llm_provider_id: 'Provider',
};

const { limit, measure, window } = createBudgetBody.shape;

function toSubject(kind: keyof typeof subjectFields, values: Readonly<Record<SubjectField, string>>) {
  if (kind === 'tenant') return { subject_type: kind } as const;
  if (kind === 'member')
    return {
      subject_type: 'user',
      subject_id: Number(values.user_id),
      team_id: Number(values.team_id),
    } as const;
  return { subject_type: kind, subject_id: Number(values[subjectFields[kind][0]]) } as const;
}

/** Validates the budget form and converts it to the request body. */
export const budgetForm = z
  .object({
    kind: z.enum(['tenant', 'team', 'member', 'user', 'service_account', 'task', 'provider']),
    team_id: z.string(),
    user_id: z.string(),
    service_account_id: z.string(),
    task_id: z.string(),
    llm_provider_id: z.string(),
    model_pattern: modelPattern,
    measure,
    window,
    /** Validated below with the other fields, so that all problems of the form are shown together. */
    limit: z.unknown(),
    action: createBudgetBody.shape.action.unwrap(),
    downgrade_to: z.string().trim().max(200),
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
    if (values.action === 'downgrade' && values.downgrade_to === '')
      addIssue({ code: 'custom', path: ['downgrade_to'], message: downgradeToMissing });
  })
  .transform(({ action, kind, limit: amount, measure: unit, model_pattern, window: length, ...values }) => ({
    ...toSubject(kind, values),
    ...(model_pattern !== '' && { model_pattern }),
    measure: unit,
    window: windowFor({ measure: unit, window: length }),
    limit: Number(amount),
    action,
    ...(action === 'downgrade' && { downgrade_to: values.downgrade_to }),
  }));

const initialValues = {
  kind: 'team',
  team_id: '',
  user_id: '',
  service_account_id: '',
  task_id: '',
  llm_provider_id: '',
  model_pattern: '',
  measure: 'usd',
  window: 'month',
  limit: '',
  action: 'refuse',
  downgrade_to: '',
};

/** A limit on parallel requests has no window to select. */
export const windowFor = ({ measure: unit, window: length }: Pick<Budget, 'measure' | 'window'>) =>
  unit === 'parallel_requests' ? 'at_once' : length;

export const measureOptions = Object.entries(measureNames).map(([value, label]) => ({ value, label }));

export function CreateBudgetForm({ onSaved }: { onSaved: () => void }) {
  const { mutateAsync } = useCreateBudget();
  const form = useContractForm({ schema: budgetForm, initialValues });
  const { action, measure: unit } = form.values;
  const parsed = budgetForm.safeParse(form.values);
  const isParallel = unit === 'parallel_requests';
  return (
    <Form
      form={form}
      submitLabel="Create budget"
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
        {...limitField({ measure: unit })}
        {...form.bind('limit')}
      />
      {!isParallel && <SelectField label="Period" options={periodOptions} {...form.bind('window')} />}
      <SelectField label="At the limit" options={actionOptionsFor(unit)} {...form.bind('action')} />
      {action === 'downgrade' && <RouteField {...form.bind('downgrade_to')} />}
      <BudgetReplay budget={parsed.success ? parsed.data : null} />
      <p className="quiet">
        {isParallel
          ? 'A request counts from its admission until its response is complete.'
          : 'Only requests from now on count, not earlier requests in the period. Users are notified at 80% and 100%. Before a request is sent, its highest possible cost is reserved, so the limit is exceeded only if a provider bills more than that.'}
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
  // safe because the options are the keys of `subjectFields`
  const fields: readonly SubjectField[] = subjectFields[kind as keyof typeof subjectFields];
  return (
    <>
      <SelectField label="Applies to" options={subjectOptions} data-autofocus {...form.bind('kind')} />
      {fields.map((field) => (
        <SubjectSelect key={field} field={field} binding={form.bind(field)} />
      ))}
      {(kind === 'team' || kind === 'member') && (
        <p className="quiet">
          Counts only requests that the team's grants allow, not requests that a member's own grants or role
          allow.
        </p>
      )}
    </>
  );
}

const choices: Readonly<Record<SubjectField, () => Promise<SelectOption[]>>> = {
  team_id: async () =>
    (await loadPages(200, async (query) => (await teams.listTeams({ query })).teams)).map(({ id, name }) => ({
      value: id,
      label: name,
    })),
  user_id: async () =>
    (await users.listUsers({ query: {} }))
      .filter(({ kind }) => kind === 'person')
      .map(({ id, name, email }) => ({ value: id, label: name, note: email })),
  service_account_id: async () =>
    (await users.listUsers({ query: {} }))
      .filter(({ kind }) => kind === 'service')
      .map(({ id, name }) => ({ value: id, label: name })),
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

export function SubjectSelect({ field, binding }: { field: SubjectField; binding: object }) {
  const { data = [], isPending } = useQuery(choicesQuery(field));
  const label = labels[field];
  return (
    <SelectField
      label={label}
      options={data}
      isLoading={isPending}
      placeholder={
        data.length === 0 && !isPending ? `No ${label.toLowerCase()}s yet` : `Select a ${label.toLowerCase()}`
      }
      {...binding}
    />
  );
}
