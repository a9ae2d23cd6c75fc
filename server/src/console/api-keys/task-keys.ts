import { apiKeyScopes, type createTaskKeyBody } from '@sluice/contract';
import { and, eq, isNull } from 'drizzle-orm';
import type { z } from 'zod';
import { createKeyBudget } from '#console/budgets/key-budget.ts';
import { lockSelf } from '#console/users/target.ts';
import { taskAssignments, tasks } from '#db/schema/tasks.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { apiKeyIdOf, type Principal } from '#domain/principal.ts';
import { ConsoleError, invalidField, notFound } from '#errors/console-error.ts';
import { checkKeyLimits } from './check-limits.ts';
import { secondMs } from './issue.ts';
import { countLiveKeys, deleteBudgetsOfEndedTaskKeys, type LockedKey, lockKey } from './key-rows.ts';
import { type KeysKeyring, type NewApiKey, storeKey } from './named-keys.ts';

const taskKeysMax = 50;

/**
 * Creates a task key for one of the caller's assignments. If the request was made with an API key, the new key
 * inherits its restrictions and expires no later.
 * @throws ConsoleError 404 if there is no such assignment, 409 if the task has ended or the user has too many valid
 * task keys, 422 if the user may not use a requested model, 401 if the parent key is no longer valid
 */
export async function createTaskKey(
  keyring: KeysKeyring,
  tx: TenantTransaction,
  author: Principal,
  {
    assignmentId,
    body,
  }: { readonly assignmentId: number; readonly body: z.output<typeof createTaskKeyBody> },
): Promise<NewApiKey> {
  const { tenantId, userId } = author;
  await lockSelf(tx, author);
  const task = await lockOpenTask(tx, author, assignmentId);
  const present = await countLiveKeys(tx, { tenantId, userId, kind: 'task' });
  if (present >= taskKeysMax) {
    throw new ConsoleError(
      409,
      `Limit for task keys reached: ${present} of ${taskKeysMax}. Revoke one, or wait until one expires.`,
    );
  }
  const parent = await lockParent(tx, author);
  await checkKeyLimits(keyring, tx, author, { userId, chosen: body });
  const untilMs = Date.now() + body.expires_in_seconds * secondMs;
  const parentUntilMs = parent?.key.expiresAt?.getTime() ?? untilMs;
  const created = await storeKey(keyring, tx, author, {
    userId,
    kind: 'task',
    name: body.name ?? `Task ${task.taskId}`,
    scopes: parent?.key.scopes ?? apiKeyScopes,
    models: narrowModels(body.models, parent?.key.models ?? null),
    dialects: parent?.key.dialects ?? null,
    networks: parent?.key.networks ?? null,
    labels: parent?.key.labels ?? {},
    taskId: task.taskId,
    mintedBy: parent?.key.id ?? null,
    expiresAt: new Date(Math.min(untilMs, parentUntilMs)),
  });
  if (body.budget_usd != null) {
    await deleteBudgetsOfEndedTaskKeys(tx, tenantId, userId);
    await createKeyBudget(tx, author, { apiKeyId: created.key.id, limitUsd: body.budget_usd });
  }
  return created;
}

/**
 * Locks an open task and then its assignment, in the same order as a task deletion. Closing either one waits for this
 * transaction and then revokes the new key.
 */
export async function lockOpenTask(
  tx: TenantTransaction,
  { tenantId, userId }: Pick<Principal, 'tenantId' | 'userId'>,
  assignmentId: number,
) {
  const isOwn = and(
    eq(taskAssignments.tenantId, tenantId),
    eq(taskAssignments.userId, userId),
    eq(taskAssignments.id, assignmentId),
  );
  const taskId = tx.select({ id: taskAssignments.taskId }).from(taskAssignments).where(isOwn);
  const [task] = await tx
    .select({ isActive: tasks.isActive })
    .from(tasks)
    .where(and(eq(tasks.tenantId, tenantId), eq(tasks.id, taskId), isNull(tasks.deletedAt)))
    .for('share');
  const [assignment] = await tx
    .select({ taskId: taskAssignments.taskId, status: taskAssignments.status })
    .from(taskAssignments)
    .where(isOwn)
    .for('share');
  if (!task || !assignment) throw notFound('Task');
  if (assignment.status === 'active' && task.isActive) return assignment;
  const state = assignment.status === 'active' ? 'inactive' : assignment.status;
  throw new ConsoleError(
    409,
    `This task is ${state}, so keys cannot be created for it. Choose an active task.`,
  );
}

/**
 * Locks the API key used for the request. Returns `null` for a session.
 * @throws ConsoleError 401 if the key was revoked or has expired
 */
async function lockParent(tx: TenantTransaction, author: Principal): Promise<LockedKey | null> {
  const id = apiKeyIdOf(author);
  if (id === null) return null;
  const parent = await lockKey(tx, author.tenantId, id);
  if (parent && (parent.state === 'active' || parent.state === 'superseded')) return parent;
  throw new ConsoleError(401, 'Could not validate credentials');
}

function narrowModels(chosen: string[] | null, allowed: string[] | null): string[] | null {
  if (chosen === null || allowed === null) return chosen ?? allowed;
  const foreign = chosen.find((name) => !allowed.includes(name));
  if (foreign === undefined) return chosen;
  throw invalidField(
    'models',
    `The API key of this request may not use the model '${foreign}'. Choose a model that this key allows.`,
  );
}
