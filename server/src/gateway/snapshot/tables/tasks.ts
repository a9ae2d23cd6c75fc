import { z } from 'zod';
import {
  type Collection,
  createCollection,
  createIndexedCollection,
  type IndexedCollection,
} from '../collection.ts';
import { column, integerId, labelsColumn, type MirroredTable, readColumns } from './mirrored-table.ts';

const { select: selectTasks, parse: parseTasks } = readColumns(
  {
    id: column('t.id', z.number()),
    tenantId: column('t.tenant_id', z.number()),
    title: column('t.title', z.string()),
    description: column('t.description', z.string()),
    category: column('t.category', z.enum(['coding', 'testing', 'documentation', 'research', 'other'])),
    tokenLimit: column('t.token_limit::float8', z.number().nullable()),
    maxTokensPerRequest: column('t.max_tokens_per_request', z.number().nullable()),
    isActive: column('t.is_active', z.boolean()),
    isApiAccess: column('t.is_dummy_task', z.boolean()),
    labels: labelsColumn,
  },
  'tasks t WHERE t.deleted_at IS NULL',
);

export type TaskEntry = ReturnType<typeof parseTasks>;

export const tasks: MirroredTable<TaskEntry, Collection<number, TaskEntry>> = {
  name: 'tasks',
  id: integerId,
  select: selectTasks,
  toEntry: parseTasks,
  createRows: createCollection,
};

const { select: selectTaskAssignments, parse: parseTaskAssignments } = readColumns(
  {
    id: column('t.id', z.number()),
    taskId: column('t.task_id', z.number()),
    userId: column('t.user_id', z.number()),
  },
  `task_assignments t WHERE t.status = 'active'`,
);

type AssignmentEntry = ReturnType<typeof parseTaskAssignments>;

export const assignments: MirroredTable<AssignmentEntry, IndexedCollection<number, AssignmentEntry>> = {
  name: 'task_assignments',
  id: integerId,
  select: selectTaskAssignments,
  toEntry: parseTaskAssignments,
  createRows: () => createIndexedCollection(({ userId }) => userId),
};
