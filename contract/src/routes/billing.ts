import { z } from 'zod';
import { defineRoutes } from '../route.ts';
import { creditBalance } from './credits.ts';
import { tenant } from './tenants.ts';

export const billedTenant = tenant.extend({ ...creditBalance.shape, user_count: z.number().int() });

export type BilledTenant = z.infer<typeof billedTenant>;

export const billingRoutes = defineRoutes({
  listBilledTenants: {
    method: 'GET',
    path: '/admin/billing/tenants',
    surface: 'management',
    permission: 'super_admin',
    summary: 'All tenants with their credits',
    response: z.array(billedTenant),
  },
});
