import type { createUserBody, User } from '@sluice/contract';
import type { z } from 'zod';
import { defaultQuotas } from '#domain/quota.ts';
import type { SignedInContext } from '#http/console-route.ts';
import type { PasswordHasher } from '#platform/password.ts';
import { requireAssignableRole } from './assign-role.ts';
import { readUser } from './get.ts';
import { insertUser } from './store.ts';
import { takeSeat } from './take-seat.ts';

export async function createUser(
  passwords: Pick<PasswordHasher, 'hash'>,
  ctx: SignedInContext,
  body: z.output<typeof createUserBody>,
): Promise<User> {
  const { tenantId } = ctx.principal;
  const passwordHash = await passwords.hash(body.password);
  return ctx.inTenant(async (tx) => {
    const role = await requireAssignableRole(tx, ctx.principal, body.role_id);
    await takeSeat(tx, tenantId, role, 'role_id');
    const userId = await insertUser(tx, {
      tenantId,
      roleId: body.role_id,
      email: body.email,
      name: body.name,
      passwordHash,
      dailyQuota: givenOr(body.daily_quota, defaultQuotas.dailyQuota),
      monthlyQuota: givenOr(body.monthly_quota, defaultQuotas.monthlyQuota),
      requestsPerHour: givenOr(body.requests_per_hour, defaultQuotas.requestsPerHour),
    });
    return readUser(tx, tenantId, userId);
  });
}

/** `null` was given: it means unlimited. */
function givenOr(quota: number | null | undefined, byDefault: number): number | null {
  return quota === undefined ? byDefault : quota;
}
