import type { TenantTransaction } from '#db/tenant.ts';
import { invalidField } from '#errors/console-error.ts';
import { findAssignee } from './store.ts';

/**
 * Returns a user who can get a task.
 * @throws ConsoleError 422 on `user_id`, with `problem` if the tenant does not have the user.
 */
export async function requireAssignee(
  tx: TenantTransaction,
  tenantId: number,
  userId: number,
  problem = 'Please select a user',
): Promise<{ id: number; name: string }> {
  const person = await findAssignee(tx, tenantId, userId);
  if (!person) throw invalidField('user_id', problem);
  if (person.isBlocked) throw invalidField('user_id', `${problem} who is not blocked`);
  if (!person.isActive) throw invalidField('user_id', `${problem} who is active`);
  return person;
}
