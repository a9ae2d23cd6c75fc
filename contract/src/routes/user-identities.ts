import { z } from 'zod';
import { id, idParams, instant } from '../ids.ts';
import { pageQuery } from '../pagination.ts';
import { defineRoutes } from '../route.ts';
import { mappedRoles } from './identity-providers.ts';

/** Links a user to an account at an identity provider. */
export const userIdentity = z.object({
  id: z.number().int(),
  user_id: z.number().int(),
  user_name: z.string(),
  user_email: z.string(),
  identity_provider_name: z.string(),
  issuer: z.string(),
  subject: z.string(),
  /** As reported by the provider when the identity was linked. */
  email: z.string(),
  /** As reported by the provider at the time of the link. */
  is_email_verified: z.boolean(),
  /** `null` until an administrator confirms the link. Until then, the link grants nothing. */
  confirmed_at: instant.nullable(),
  /** If false, an administrator assigned the role, and sign-ins do not change it. */
  is_role_mapped: z.boolean(),
  mapped_role: z.enum(mappedRoles).nullable(),
  last_used_at: instant.nullable(),
  created_at: instant,
});

export type UserIdentity = z.infer<typeof userIdentity>;

const write = {
  surface: 'management',
  permission: 'users.write',
  refusesTokens: true,
  path: '/admin/user-identities/{id}',
} as const;

export const userIdentitiesRoutes = defineRoutes({
  listUserIdentities: {
    method: 'GET',
    path: '/admin/user-identities',
    surface: 'management',
    permission: 'users.read',
    summary: 'List the links between users and identity providers; links that wait for confirmation first',
    request: { query: z.strictObject({ ...pageQuery(50), user_id: id.optional() }) },
    response: z.array(userIdentity),
  },
  confirmUserIdentity: {
    ...write,
    method: 'POST',
    path: '/admin/user-identities/{id}/confirm',
    summary:
      'Confirm a link; the user can then sign in with it, and previous links to the same provider are removed',
    request: { params: idParams },
    response: userIdentity,
  },
  deleteUserIdentity: {
    ...write,
    method: 'DELETE',
    summary: 'Remove a link and end the sessions that started with it',
    request: { params: idParams },
    response: z.void(),
    status: 204,
  },
});
