import {
  type BudgetSubjectType,
  budgetTermChanges,
  createBudgetBody,
  createBudgetDefaultBody,
  createLlmProviderBody,
  createTeamBody,
  foldName,
  refineBudget,
  updateBudgetBody,
  updateTaskBody,
} from '@sluice/contract';
import { z } from 'zod';
import { createBudget, deleteBudget, updateBudget } from '#console/budgets/change.ts';
import {
  createBudgetDefault,
  deleteBudgetDefault,
  updateBudgetDefault,
} from '#console/budgets/change-default.ts';
import { showTerms } from '#console/budgets/terms.ts';
import { selectBudgetDefaults, selectBudgets } from '../store.ts';
import { accountFields, accountId, accountKey, accountReferences, accountSpec } from './accounts.ts';
import { type ApplyContext, field, type Kind, omit, type Reference, type Spec, text } from './kind.ts';
import { numbered, numberField, numberKeys, task } from './tasks.ts';

const { limit, thresholds, action, downgrade_to, measure, window, model_pattern, starts_at } =
  createBudgetBody.shape;
const terms = { limit, thresholds: field(thresholds), action: field(action), downgrade_to };

const teamField = createTeamBody.shape.name.optional();
/** Task title, with a number if several tasks have the title: `Write tests #2`. */
const taskField = updateTaskBody.shape.title;
const subjectFields = ['user', 'service_account', 'task', 'team', 'provider'] as const;
const budgetKeyFields = [...subjectFields, 'models', 'measure', 'window', 'starts_at', 'number'];

const isOfOneAccount = ({ user, service_account: account }: Spec) =>
  user === undefined || account === undefined;
const isOfOneTask = (spec: Spec) =>
  spec.task === undefined || (spec.user === undefined && spec.service_account === undefined);

function budgetKey(spec: Spec): string {
  const account = accountReferences(spec).length > 0 ? accountKey(spec) : '';
  const names = [spec.task, spec.team, spec.provider].map((name) => foldName(String(name ?? '')));
  const startsAt = spec.starts_at == null ? '' : new Date(String(spec.starts_at)).toISOString();
  return [account, ...names, spec.models ?? '', spec.measure, spec.window, startsAt].join('\n');
}

function subjectTitle(spec: Spec): string {
  const named = subjectFields
    .filter((name) => spec[name] !== undefined)
    .map((name) => `${name.replace('_', ' ')} ${spec[name]}`);
  const models = spec.models ? [`models ${spec.models}`] : [];
  return [...named, ...models].join(', ') || 'organization';
}

const termsTitle = (spec: Spec) => `${spec.measure} per ${spec.window}`;

const nameReferences = (spec: Spec): Reference[] =>
  (['task', 'team', 'provider'] as const)
    .filter((kind) => spec[kind] !== undefined)
    .map((kind) => ({ field: kind, kind, name: text(spec, kind) }));

function toSubject(context: ApplyContext, spec: Spec) {
  const { tenantId, idOf } = context;
  const ids = {
    task: spec.task === undefined ? null : idOf('task', text(spec, 'task')),
    team: spec.team === undefined ? null : idOf('team', text(spec, 'team')),
    provider: spec.provider === undefined ? null : idOf('provider', text(spec, 'provider')),
  };
  const account = accountId(context, spec);
  const type: BudgetSubjectType =
    account === null
      ? ((['task', 'team', 'provider'] as const).find((name) => ids[name] !== null) ?? 'tenant')
      : spec.user === undefined
        ? 'service_account'
        : 'user';
  const id = account ?? ids.task ?? ids.team ?? ids.provider ?? tenantId;
  return {
    subject_type: type,
    subject_id: id,
    team_id: type === 'team' ? null : ids.team,
    llm_provider_id: type === 'provider' ? null : ids.provider,
  };
}

const fieldNames = {
  model_pattern: 'models',
  subject_id: 'user',
  team_id: 'team',
  llm_provider_id: 'provider',
};

/** Thresholds may be in any order, and times may have any UTC offset. */
function isSameTerm(name: string, stored: unknown, wanted: unknown): boolean {
  if (name === 'thresholds' && Array.isArray(stored) && Array.isArray(wanted))
    return stored.join() === [...new Set(wanted.map(Number))].toSorted((one, other) => one - other).join();
  if (name === 'starts_at' && stored != null && wanted != null)
    return Date.parse(String(stored)) === Date.parse(String(wanted));
  return (
    (stored ?? null) === (wanted ?? null) ||
    ((stored || null) === null && (wanted || null) === null && name === 'models')
  );
}

const refineTerms = (spec: Spec, ctx: z.core.$RefinementCtx) =>
  refineBudget(
    {
      measure: measure.parse(spec.measure),
      window: window.parse(spec.window),
      starts_at: spec.starts_at == null ? null : String(spec.starts_at),
      limit: Number(spec.limit),
      action: spec.action === undefined ? 'refuse' : action.parse(spec.action),
      downgrade_to: spec.downgrade_to === undefined ? undefined : (spec.downgrade_to as string | null),
    },
    ctx,
  );

export const budget: Kind = {
  name: 'budget',
  collection: 'budgets',
  schema: z
    .strictObject({
      ...accountFields,
      task: taskField,
      team: teamField,
      provider: createLlmProviderBody.shape.provider_instance_name.optional(),
      models: field(model_pattern),
      measure,
      window,
      starts_at,
      number: numberField,
      ...terms,
    })
    .refine(isOfOneAccount, 'Name either a user or a service_account')
    .refine(isOfOneTask, 'A budget of a task cannot have a user or a service_account')
    .superRefine(refineTerms),
  keyFields: budgetKeyFields,
  fieldNames,
  keyOf: (spec) => numbered(budgetKey(spec), spec),
  titleOf: (spec) => numbered(`${subjectTitle(spec)}: ${termsTitle(spec)}`, spec),
  referencesOf: (spec) => [...accountReferences(spec), ...nameReferences(spec)],
  isEqual: isSameTerm,
  async read(context) {
    const titles = new Map((await task.read(context)).map(({ id, spec }) => [id, task.titleOf(spec)]));
    const rows = await selectBudgets(context.tx, context.tenantId);
    // Budgets of deleted tasks and API access tasks are omitted, since the file cannot refer to these tasks.
    const kept = rows.filter(({ budget: { taskId } }) => taskId === null || titles.has(taskId));
    const read = kept.map(({ budget: row, team, provider, ...account }) => ({
      id: row.id,
      spec: {
        ...accountSpec(account),
        ...(row.taskId !== null && { task: titles.get(row.taskId) }),
        ...(team !== null && { team }),
        ...(provider !== null && { provider }),
        ...(row.modelPattern !== null && { models: row.modelPattern }),
        ...(row.startsAt !== null && { starts_at: row.startsAt.toISOString() }),
        ...showTerms(row),
      },
    }));
    return numberKeys(read, budgetKey);
  },
  async create(context, wanted) {
    const given = omit(wanted, [...subjectFields, 'models', 'number']);
    const body = createBudgetBody.parse({
      ...given,
      model_pattern: wanted.models,
      ...toSubject(context, wanted),
    });
    await createBudget(context.tx, context.author, body);
    return undefined;
  },
  async update({ tx, author }, { stored: { id }, changes }) {
    const body = updateBudgetBody.parse(omit(changes, budgetKeyFields));
    if (Object.keys(body).length > 0) await updateBudget(tx, author, { id, body });
  },
  async remove({ tx, author }, { id }) {
    await deleteBudget(tx, author, id);
  },
};

const defaultKey = (spec: Spec) => [foldName(String(spec.team ?? '')), spec.measure, spec.window].join('\n');

export const defaultBudget: Kind = {
  name: 'default_budget',
  collection: 'default_budgets',
  schema: z.strictObject({ team: teamField, measure, window, ...terms }).superRefine(refineTerms),
  keyFields: ['team', 'measure', 'window'],
  fieldNames,
  keyOf: defaultKey,
  titleOf: (spec) => `${spec.team ? `members of ${spec.team}` : 'every user'}: ${termsTitle(spec)}`,
  referencesOf: nameReferences,
  isEqual: isSameTerm,
  async read({ tx, tenantId }) {
    const rows = await selectBudgetDefaults(tx, tenantId);
    return rows.map(({ row, team }) => ({
      id: row.id,
      spec: { ...(team !== null && { team }), ...showTerms(row) },
    }));
  },
  async create({ tx, author, idOf }, { team, ...wanted }) {
    const teamId = team === undefined ? null : idOf('team', String(team));
    await createBudgetDefault(tx, author, createBudgetDefaultBody.parse({ ...wanted, team_id: teamId }));
    return undefined;
  },
  async update({ tx, author }, { stored: { id }, changes }) {
    const body = budgetTermChanges.parse(omit(changes, ['team', 'measure', 'window']));
    if (Object.keys(body).length > 0) await updateBudgetDefault(tx, author, { id, body });
  },
  async remove({ tx, author }, { id }) {
    await deleteBudgetDefault(tx, author, id);
  },
};
