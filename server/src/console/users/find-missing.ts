import type { User } from '@sluice/contract';
import type { TenantTransaction } from '#db/tenant.ts';
import { selectReadiness } from './readiness-store.ts';

export interface ActivePerson {
  readonly id: number;
  readonly name: string;
  readonly isUser: boolean;
  /** What a request of theirs would be refused for; administrators need neither. */
  readonly missing: User['missing'];
}

/** All active people of a tenant, or one, with what they still need. */
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

/** By the person's id; who is not active or needs nothing is not there. */
export async function findMissing(
  tx: TenantTransaction,
  tenantId: number,
  userId?: number,
): Promise<ReadonlyMap<number, User['missing']>> {
  const people = await listActivePeople(tx, tenantId, userId);
  return new Map(people.map(({ id, missing }) => [id, missing]));
}
