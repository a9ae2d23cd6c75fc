import { and, eq } from 'drizzle-orm';
import { listPermittedModels } from '#console/provider-access/list-permitted.ts';
import { taskAssignments, tasks } from '#db/schema/tasks.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { invalidField } from '#errors/console-error.ts';
import type { Keyring } from '#platform/keyring.ts';

interface ChosenLimits {
  readonly models?: readonly string[] | null | undefined;
  readonly task_id?: number | null | undefined;
}

interface CurrentLimits {
  readonly models: readonly string[] | null;
  readonly taskId: number | null;
}

/**
 * Checks that a key's owner has access to the key's models and task. Unchanged values are accepted even if the owner
 * has lost access, because the gateway checks the owner's permissions for each request.
 * @throws ConsoleError 422 if the owner lacks access
 */
export async function checkKeyLimits(
  keyring: Pick<Keyring, 'sealingKey'>,
  tx: TenantTransaction,
  author: Principal,
  { userId, chosen, current }: { userId: number; chosen: ChosenLimits; current?: CurrentLimits },
): Promise<void> {
  const added = (chosen.models ?? []).filter((name) => !current?.models?.includes(name));
  if (added.length > 0) {
    const { models } = await listPermittedModels({ keyring }, tx, author, userId);
    const permitted = new Set(models.map(({ model }) => model));
    const foreign = added.find((name) => !permitted.has(name));
    if (foreign !== undefined) {
      throw invalidField(
        'models',
        `The owner of this key may not use the model '${foreign}'. Choose a model that the owner may use.`,
      );
    }
  }
  const { task_id: taskId } = chosen;
  if (typeof taskId !== 'number' || taskId === current?.taskId) return;
  if (!(await isOwnTask(tx, author.tenantId, { userId, taskId }))) {
    throw invalidField(
      'task_id',
      'The owner of this key has no active task with this ID. Choose another task.',
    );
  }
}

async function isOwnTask(
  tx: TenantTransaction,
  tenantId: number,
  { userId, taskId }: { userId: number; taskId: number },
): Promise<boolean> {
  const rows = await tx
    .select({ id: taskAssignments.id })
    .from(taskAssignments)
    .innerJoin(tasks, eq(tasks.id, taskAssignments.taskId))
    .where(
      and(
        eq(taskAssignments.tenantId, tenantId),
        eq(taskAssignments.userId, userId),
        eq(taskAssignments.taskId, taskId),
        eq(taskAssignments.status, 'active'),
        eq(tasks.isActive, true),
      ),
    )
    .limit(1);
  return rows.length > 0;
}
