import { z } from 'zod';
import { id, instant } from '../ids.ts';
import { defineRoutes } from '../route.ts';

export const grantUserAccessBody = z.strictObject({
  user_id: id,
  llm_provider_id: id,
  allowed_models: z
    .array(z.string().trim().min(1).max(200))
    .min(1, 'Please select at least one model')
    .max(1000),
});

export const userAccess = z.object({
  user_id: z.number().int(),
  user_name: z.string(),
  provider_key: z.string(),
  provider_instance_name: z.string(),
  llm_provider_id: z.number().int(),
  provider_registry_id: z.number().int(),
  allowed_models: z.array(z.string()),
  created_at: instant,
});

export type UserAccess = z.infer<typeof userAccess>;

export const providerAccessRoutes = defineRoutes({
  grantUserAccess: {
    method: 'POST',
    path: '/admin/provider-access/users',
    surface: 'management',
    permission: 'provider_access.write',
    summary: 'Let a user use some models of a provider instance',
    request: { body: grantUserAccessBody },
    response: userAccess,
    status: 201,
  },
});
