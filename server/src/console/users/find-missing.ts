import type { User } from '@sluice/contract';
import type { TenantTransaction } from '#db/tenant.ts';
import { selectReadiness } from './readiness-store.ts';

export interface ActivePerson {
  readonly id: number;
  readonly name: string;
  readonly isUser: boolean;
  /** Prerequisites of a request that the user lacks; administrators need neither models nor a task. */
  readonly missing: User['missing'];
}

/** Returns all active users of a tenant, or one, with what they lack. */
export async function listActivePeople(
  tx: TenantTransaction,
  tenantId: number,
  userId?: number,
): Promise<ActivePerson[]> {
  const rows = await selectReadiness(tx, tenantId, userId);
  return rows.map(({ id, name, role, hasTask, hasModels }) => {
    const isUser = role === 'user';
    const missing: User['missing'] = [];
    if (isUser && !hasTask) missing.push('task');
    if (isUser && !hasModels) missing.push('models');
    return { id, name, isUser, missing };
  });
}

/** Returns what users lack by id; inactive and complete users are absent. */
export async function findMissing(
  tx: TenantTransaction,
  tenantId: number,
  userId?: number,
): Promise<ReadonlyMap<number, User['missing']>> {
  const people = await listActivePeople(tx, tenantId, userId);
  return new Map(people.map(({ id, missing }) => [id, missing]));
}
