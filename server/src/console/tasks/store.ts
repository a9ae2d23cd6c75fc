import { and, DrizzleQueryError, desc, eq, gt, isNull, type SQL, sql } from 'drizzle-orm';
import pg from 'pg';
import { containsText } from '#db/contains-text.ts';
import { usageRollups } from '#db/schema/request-logs.ts';
import { allowances, taskAssignments, tasks } from '#db/schema/tasks.ts';
import { users } from '#db/schema/users.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { ConsoleError } from '#errors/console-error.ts';

export interface TaskSelection {
  readonly taskId?: number | undefined;
  readonly category?: (typeof tasks.$inferSelect)['category'] | undefined;
  readonly difficultyLevel?: (typeof tasks.$inferSelect)['difficultyLevel'] | undefined;
  readonly isActive?: boolean | undefined;
  readonly search?: string | undefined;
}

export async function selectTasks(tx: TenantTransaction, tenantId: number, selection: TaskSelection) {
  const worked = tx
    .select({
      people: sql`count(*) FILTER (WHERE ${eq(taskAssignments.status, 'active')})`
        .mapWith(Number)
        .as('people'),
      requests: sql`coalesce(sum(${allowances.requests}), 0)`.mapWith(Number).as('requests'),
    })
    .from(taskAssignments)
    .leftJoin(allowances, ofAssignment)
    .where(eq(taskAssignments.taskId, tasks.id))
    .as('worked');
  return tx
    .select({
      id: tasks.id,
      title: tasks.title,
      description: tasks.description,
      category: tasks.category,
      difficultyLevel: tasks.difficultyLevel,
      estimatedHours: tasks.estimatedHours,
      tokenLimit: tasks.tokenLimit,
      maxTokensPerRequest: tasks.maxTokensPerRequest,
      isActive: tasks.isActive,
      createdAt: tasks.createdAt,
      isDummyTask: tasks.isDummyTask,
      userId: tasks.userId,
      people: worked.people,
      requests: worked.requests,
    })
    .from(tasks)
    .innerJoinLateral(worked, sql`true`)
    .where(selectionCondition(tenantId, selection))
    .orderBy(desc(tasks.id));
}

export type TaskRow = Awaited<ReturnType<typeof selectTasks>>[number];

function selectionCondition(tenantId: number, selection: TaskSelection): SQL | undefined {
  const given = <Value>(value: Value | undefined, toCondition: (value: Value) => SQL | undefined) =>
    value === undefined || value === '' ? undefined : toCondition(value);
  return and(
    eq(tasks.tenantId, tenantId),
    isNull(tasks.deletedAt),
    given(selection.taskId, (taskId) => eq(tasks.id, taskId)),
    given(selection.category, (category) => eq(tasks.category, category)),
    given(selection.difficultyLevel, (difficulty) => eq(tasks.difficultyLevel, difficulty)),
    given(selection.isActive, (isActive) => eq(tasks.isActive, isActive)),
    given(selection.search, (text) => containsText(text, tasks.title, tasks.description)),
  );
}

/** Returns a task and locks it against changes and new assignments until the transaction ends. */
export async function lockTask(tx: TenantTransaction, tenantId: number, taskId: number) {
  const [row] = await tx
    .select({
      id: tasks.id,
      isActive: tasks.isActive,
      isDummyTask: tasks.isDummyTask,
      userId: tasks.userId,
      tokenLimit: tasks.tokenLimit,
      maxTokensPerRequest: tasks.maxTokensPerRequest,
    })
    .from(tasks)
    .where(and(eq(tasks.tenantId, tenantId), eq(tasks.id, taskId), isNull(tasks.deletedAt)))
    .for('no key update');
  return row;
}

/** @throws ConsoleError 409 if the user already has an active API access task */
export async function insertTask(tx: TenantTransaction, values: typeof tasks.$inferInsert): Promise<number> {
  const [row] = await explained(tx.insert(tasks).values(values).returning({ id: tasks.id }));
  if (!row) throw new Error('the insert returned no row');
  return row.id;
}

/** @throws ConsoleError 409 if the user already has another active API access task */
export async function changeTask(
  tx: TenantTransaction,
  taskId: number,
  columns: Partial<typeof tasks.$inferInsert>,
): Promise<void> {
  await explained(tx.update(tasks).set(columns).where(eq(tasks.id, taskId)));
}

async function explained<Result>(query: Promise<Result>): Promise<Result> {
  try {
    return await query;
  } catch (error) {
    if (brokenConstraint(error) !== 'tasks_one_api_access') throw error;
    throw new ConsoleError(409, 'This user already has an active API access task');
  }
}

export async function findAssignee(tx: TenantTransaction, tenantId: number, userId: number) {
  const [row] = await tx
    .select({ id: users.id, name: users.name, isActive: users.isActive, isBlocked: users.isBlocked })
    .from(users)
    .where(and(eq(users.tenantId, tenantId), eq(users.id, userId)));
  return row;
}

/** Counts a task's requests in the 15-minute buckets that started within the last hour. */
export async function countRecentRequests(tx: TenantTransaction, tenantId: number, taskId: number) {
  const [row] = await tx
    .select({ requests: sql`coalesce(sum(${usageRollups.requests}), 0)`.mapWith(Number) })
    .from(usageRollups)
    .where(
      and(
        eq(usageRollups.tenantId, tenantId),
        eq(usageRollups.taskId, taskId),
        gt(usageRollups.bucketStart, sql`now() - interval '1 hour'`),
      ),
    );
  return row?.requests ?? 0;
}

/** Tokens only include active assignments. */
export async function selectUserStats(tx: TenantTransaction, tenantId: number) {
  const isActive = eq(taskAssignments.status, 'active');
  return tx
    .select({
      userId: users.id,
      name: users.name,
      email: users.email,
      isBlocked: users.isBlocked,
      activeTasks: sql`count(*) FILTER (WHERE ${isActive})`.mapWith(Number),
      completedTasks: sql`count(*) FILTER (WHERE ${eq(taskAssignments.status, 'completed')})`.mapWith(Number),
      tokensUsed: sql`coalesce(sum(${allowances.settled}) FILTER (WHERE ${isActive}), 0)`.mapWith(Number),
      isUnlimited: sql<boolean>`coalesce(bool_or(${and(isActive, isNull(allowances.limitAmount))}), false)`,
      tokenLimit: sql`coalesce(sum(${allowances.limitAmount}) FILTER (WHERE ${isActive}), 0)`.mapWith(Number),
    })
    .from(users)
    .leftJoin(taskAssignments, eq(taskAssignments.userId, users.id))
    .leftJoin(allowances, ofAssignment)
    .where(eq(users.tenantId, tenantId))
    .groupBy(users.id)
    .orderBy(users.id);
}

/** SQL condition that an allowance counts an assignment's tokens. */
export const ofAssignment = and(
  eq(allowances.kind, 'task_tokens'),
  eq(allowances.subjectId, taskAssignments.id),
);

export function brokenConstraint(error: unknown): string | undefined {
  const cause = error instanceof DrizzleQueryError ? error.cause : undefined;
  return cause instanceof pg.DatabaseError ? cause.constraint : undefined;
}
