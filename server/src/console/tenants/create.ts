import type { createTenantBody, TenantDetails } from '@sluice/contract';
import type { z } from 'zod';
import { invitePerson } from '#console/invitations/change.ts';
import type { IssueDeps } from '#console/invitations/link.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { Principal } from '#domain/principal.ts';
import { ConsoleError } from '#errors/console-error.ts';
import { addFirstAdministrator, addTenant, requirePlan } from './add-tenant.ts';
import { readTenant } from './read.ts';

export interface CreateTenantDeps extends IssueDeps {
  readonly hasSandbox: boolean;
}

type Body = z.output<typeof createTenantBody>;

interface NewTenant {
  readonly body: Body;
  /** `null` if the administrator is invited. */
  readonly passwordHash: string | null;
}

export async function createTenant(
  deps: CreateTenantDeps,
  tx: SystemDatabase,
  author: Principal,
  { body, passwordHash }: NewTenant,
): Promise<TenantDetails> {
  const tenantId = await addTenant(tx, {
    name: body.name,
    slug: body.slug,
    ...(await chooseLimits(tx, body)),
    hasSandbox: deps.hasSandbox,
  });
  await underFieldsOfForm(() => addAdministrator(deps, tx, author, { tenantId, body, passwordHash }));
  return readTenant(tx, tenantId);
}

async function chooseLimits(tx: SystemDatabase, { plan_id: planId, user_limit, admin_limit }: Body) {
  const plan = planId === null ? null : await requirePlan(tx, planId);
  return {
    planId,
    userLimit: user_limit === undefined ? (plan?.userLimit ?? null) : user_limit,
    adminLimit: admin_limit === undefined ? (plan?.adminLimit ?? null) : admin_limit,
  };
}

async function addAdministrator(
  deps: CreateTenantDeps,
  tx: SystemDatabase,
  author: Principal,
  { tenantId, body, passwordHash }: NewTenant & { readonly tenantId: number },
): Promise<unknown> {
  const { administrator_email: email, administrator_name: name } = body;
  if (passwordHash === null || name === undefined) {
    return invitePerson(deps, tx, { ...author, tenantId }, { email, role: 'admin' });
  }
  return addFirstAdministrator(tx, tenantId, { role: 'admin', email, name, passwordHash });
}

/** Maps errors of the administrator's fields to the names of the form's fields. */
async function underFieldsOfForm<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ConsoleError) || typeof error.detail === 'string') throw error;
    const problems = error.detail.map((problem) =>
      problem.loc.at(-1) === 'email' ? { ...problem, loc: ['body', 'administrator_email'] } : problem,
    );
    throw new ConsoleError(error.status, problems);
  }
}
