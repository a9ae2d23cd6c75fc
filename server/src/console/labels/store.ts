import type { Labels } from '@sluice/contract';
import { and, eq, isNull, type SQL } from 'drizzle-orm';
import { tasks } from '#db/schema/tasks.ts';
import { teams } from '#db/schema/teams.ts';
import { users } from '#db/schema/users.ts';
import type { TenantTransaction } from '#db/tenant.ts';

export interface Labeled {
  readonly noun: 'Team' | 'User' | 'Task';
  readonly tenantId: number;
  readonly id: number;
}

const tables = { Team: teams, User: users, Task: tasks } as const;

const isLabeled = ({ noun, tenantId, id }: Labeled): SQL | undefined =>
  and(
    eq(tables[noun].tenantId, tenantId),
    eq(tables[noun].id, id),
    noun === 'Task' ? isNull(tasks.deletedAt) : undefined,
  );

/** Returns an object's labels, or `undefined` if the tenant does not have the object. */
export async function selectLabels(tx: TenantTransaction, labeled: Labeled): Promise<Labels | undefined> {
  const table = tables[labeled.noun];
  const [row] = await tx.select({ labels: table.labels }).from(table).where(isLabeled(labeled));
  return row?.labels;
}

export async function updateLabels(tx: TenantTransaction, labeled: Labeled, labels: Labels): Promise<void> {
  await tx.update(tables[labeled.noun]).set({ labels }).where(isLabeled(labeled));
}
