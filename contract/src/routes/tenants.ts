import { z } from 'zod';
import { instant } from '../ids.ts';
import { pageQuery } from '../pagination.ts';
import { defineRoutes } from '../route.ts';

export const tenantStatuses = ['trial', 'active', 'suspended'] as const;

export const tenant = z.object({
  id: z.number().int(),
  name: z.string(),
  slug: z.string(),
  status: z.enum(tenantStatuses),
  created_at: instant,
});

export type Tenant = z.infer<typeof tenant>;

export const tenantsRoutes = defineRoutes({
  getMyTenant: {
    method: 'GET',
    path: '/tenants/my-tenant',
    surface: 'management',
    permission: 'credits.read',
    summary: "The caller's tenant",
    response: tenant,
  },
  listTenants: {
    method: 'GET',
    path: '/tenants',
    surface: 'management',
    permission: 'super_admin',
    summary: 'The tenants that a super administrator may act for, by name',
    request: {
      query: z.strictObject({ ...pageQuery(100), search: z.string().trim().max(200).optional() }),
    },
    response: z.array(tenant),
  },
});
