import type { createUserBody, User } from '@sluice/contract';
import type { z } from 'zod';
import type { SignedInContext } from '#http/console-route.ts';
import { type PasswordHasher, passwordSetter } from '#platform/password.ts';
import { addPerson } from './add-person.ts';
import { requireAssignableRole } from './assign-role.ts';
import { readUser } from './get.ts';
import { requireUncommonPassword } from './require-uncommon-password.ts';

export async function createUser(
  passwords: Pick<PasswordHasher, 'hash'>,
  ctx: SignedInContext,
  body: z.output<typeof createUserBody>,
): Promise<User> {
  requireUncommonPassword(body.password);
  const { tenantId } = ctx.principal;
  const passwordHash = await passwords.hash(body.password, passwordSetter(ctx.principal));
  return ctx.inTenant(async (tx) => {
    const userId = await addPerson(tx, {
      tenantId,
      roleId: body.role_id,
      role: await requireAssignableRole(tx, ctx.principal, body.role_id),
      email: body.email,
      name: body.name,
      passwordHash,
      quotas: {
        dailyQuota: body.daily_quota,
        monthlyQuota: body.monthly_quota,
        requestsPerHour: body.requests_per_hour,
      },
    });
    return readUser(tx, tenantId, userId);
  });
}
