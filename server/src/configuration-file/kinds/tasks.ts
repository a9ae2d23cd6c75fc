import {
  createTaskAssignmentBody,
  createTaskBody,
  foldName,
  labelSet,
  regularTaskBody,
  updateTaskBody,
} from '@sluice/contract';
import { z } from 'zod';
import { createTaskAssignment, deleteTaskAssignment } from '#console/tasks/assignments.ts';
import { createTask, updateTask } from '#console/tasks/change.ts';
import { deleteTask } from '#console/tasks/delete.ts';
import { toTaskSettings } from '#console/tasks/read.ts';
import { selectAssignments, selectTasks } from '../store.ts';
import {
  accountFields,
  accountId,
  accountKey,
  accountReferences,
  accountSpec,
  accountTitle,
  isOneAccount,
  labelTask,
  oneAccountProblem,
} from './accounts.ts';
import { type Kind, omit, type Spec, text } from './kind.ts';

/**
 * Number that distinguishes objects with equal key fields. Numbers start at 2 and increase with creation time; the
 * oldest object has no number.
 */
export const numberField = z
  .int('A number must be a whole number')
  .min(2, 'A number must be at least 2')
  .max(100_000)
  .optional();

/** Adds a number to each object with the same key as an earlier object. */
export function numberKeys<Row extends { readonly spec: Spec }>(
  rows: readonly Row[],
  keyOf: (spec: Spec) => string,
): Row[] {
  const counts = new Map<string, number>();
  return rows.map((row) => {
    const key = keyOf(row.spec);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count === 1 ? row : { ...row, spec: { ...row.spec, number: count } };
  });
}

export const numbered = (key: string, { number: count }: Spec) =>
  count === undefined ? key : `${key} #${count}`;

const titleSchema = updateTaskBody.shape.title.unwrap();
const taskKey = (spec: Spec) => numbered(foldName(text(spec, 'title')), spec);
const taskTitle = (spec: Spec) => numbered(text(spec, 'title'), spec);

export const task: Kind = {
  name: 'task',
  collection: 'tasks',
  schema: z.strictObject({
    ...updateTaskBody.shape,
    title: titleSchema,
    number: numberField,
    labels: labelSet.optional(),
  }),
  keyFields: ['title', 'number'],
  keyOf: taskKey,
  titleOf: taskTitle,
  async read({ tx, tenantId }) {
    const rows = await selectTasks(tx, tenantId);
    const regular = rows.filter((row) => !row.task.isDummyTask);
    const read = regular.map(({ task: row }) => ({
      id: row.id,
      spec: { ...toTaskSettings(row), labels: row.labels },
    }));
    return numberKeys(read, taskKey);
  },
  async create(context, wanted) {
    const body = regularTaskBody.parse(omit(wanted, ['labels', 'number']));
    const { id } = await createTask(
      context.tx,
      context.author,
      createTaskBody.parse({ ...body, is_dummy_task: false }),
    );
    await labelTask(context, id, wanted);
    return id;
  },
  async update(context, { stored: { id }, changes }) {
    const body = updateTaskBody.parse(omit(changes, ['labels', 'number']));
    if (Object.keys(body).length > 0) await updateTask(context.tx, context.author, { taskId: id, body });
    await labelTask(context, id, changes);
  },
  async remove({ tx, author }, { id }) {
    await deleteTask(tx, author, id);
  },
};

const assignmentKey = (spec: Spec) => `${foldName(text(spec, 'task'))} ${accountKey(spec)}`;

/** Kind of task assignments. The field `task` is the task title, with a number if several tasks have the title. */
export const taskAssignment: Kind = {
  name: 'task_assignment',
  collection: 'assigned_to',
  within: { kind: 'task', field: 'task' },
  schema: z.strictObject(accountFields).refine(isOneAccount, oneAccountProblem),
  keyFields: ['user', 'service_account'],
  fieldNames: { user_id: 'user' },
  keyOf: assignmentKey,
  titleOf: (spec) => `${spec.task} for ${accountTitle(spec)}`,
  referencesOf: (spec) => accountReferences(spec),
  async read(context) {
    const titles = new Map((await task.read(context)).map(({ id, spec }) => [id, taskTitle(spec)]));
    const rows = await selectAssignments(context.tx, context.tenantId);
    const byKey = new Map(
      rows.toReversed().map((row) => {
        const spec = { task: titles.get(row.taskId) ?? '', ...accountSpec(row) };
        return [assignmentKey(spec), { id: row.id, spec, isHidden: row.status !== 'active' }];
      }),
    );
    return [...byKey.values()].toReversed();
  },
  async create(context, wanted) {
    const body = createTaskAssignmentBody.parse({
      task_id: context.idOf('task', text(wanted, 'task')),
      user_id: accountId(context, wanted),
    });
    await createTaskAssignment(context.tx, context.author, body);
    return undefined;
  },
  update: () => Promise.resolve(),
  async remove({ tx, author }, { id }) {
    await deleteTaskAssignment(tx, author, id);
  },
};

export const apiAccessTask: Kind = {
  name: 'api_access_task',
  collection: 'api_access_tasks',
  schema: z.strictObject(accountFields).refine(isOneAccount, oneAccountProblem),
  keyFields: ['user', 'service_account'],
  fieldNames: { user_id: 'user' },
  keyOf: accountKey,
  titleOf: accountTitle,
  referencesOf: accountReferences,
  async read({ tx, tenantId }) {
    const rows = await selectTasks(tx, tenantId);
    return rows
      .filter((row) => row.task.isDummyTask && row.task.isActive && row.email !== null)
      .map((row) => ({ id: row.task.id, spec: accountSpec(row) }));
  },
  async create(context, wanted) {
    const body = createTaskBody.parse({ is_dummy_task: true, user_id: accountId(context, wanted) });
    return (await createTask(context.tx, context.author, body)).id;
  },
  update: () => Promise.resolve(),
  async remove({ tx, author }, { id }) {
    await deleteTask(tx, author, id);
  },
};
