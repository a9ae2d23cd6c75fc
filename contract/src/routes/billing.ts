import { z } from 'zod';
import { defineRoutes } from '../route.ts';
import { creditBalance } from './credits.ts';
import { tenant } from './tenants.ts';

export const billedTenant = tenant.extend({ ...creditBalance.shape, user_count: z.number().int() });

export type BilledTenant = z.infer<typeof billedTenant>;

/** What a tenant can subscribe to; prices in dollars. */
export const plan = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  price_monthly: z.number(),
  price_yearly: z.number(),
  /** Beside the administrators. */
  user_limit: z.number().int(),
  admin_limit: z.number().int(),
});

export type Plan = z.infer<typeof plan>;

const open = { method: 'GET', surface: 'management', permission: 'anyone' } as const;

export const billingRoutes = defineRoutes({
  listPlans: {
    ...open,
    path: '/billing/plans',
    summary: 'The plans that are on offer, the smallest first',
    response: z.array(plan),
  },
  getPlan: {
    ...open,
    path: '/billing/plans/{id}',
    summary: 'One plan',
    request: { params: z.object({ id: z.string().max(100) }) },
    response: plan,
  },
  listBilledTenants: {
    method: 'GET',
    path: '/admin/billing/tenants',
    surface: 'management',
    permission: 'super_admin',
    summary: 'All tenants with their credits',
    response: z.array(billedTenant),
  },
});
