import { z } from 'zod';
import { createIndexedCollection, type IndexedCollection } from '../collection.ts';
import { column, integerId, type MirroredTable, readColumns } from './mirrored-table.ts';

const { select, parse } = readColumns(
  {
    id: column('t.id', z.number()),
    taskId: column('t.task_id', z.number()),
    userId: column('t.user_id', z.number()),
  },
  `task_assignments t WHERE t.status = 'active'`,
);

type AssignmentEntry = ReturnType<typeof parse>;

/** Active assignments, indexed by user. */
export const assignments: MirroredTable<AssignmentEntry, IndexedCollection<number, AssignmentEntry>> = {
  name: 'task_assignments',
  id: integerId,
  select,
  toEntry: parse,
  createRows: () => createIndexedCollection(({ userId }) => userId),
};
