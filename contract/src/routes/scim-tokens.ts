import { z } from 'zod';
import { whenAbsent } from '../describe-field-problem.ts';
import { isPlainLine, notPlainLine } from '../fields.ts';
import { idParams, instant } from '../ids.ts';
import { defineRoutes } from '../route.ts';

const name = z
  .string(whenAbsent('Name is required'))
  .trim()
  .min(1, 'Name is required')
  .max(100, 'Name must be at most 100 characters')
  .refine(isPlainLine, notPlainLine('Name'));

const dayMs = 86_400_000;

/** Lifetime in days. */
export const scimTokenDays = { max: 730, default: 365 } as const;

const expiresAt = instant
  .refine((text) => Date.parse(text) > Date.now(), 'The time must be in the future')
  .refine(
    (text) => Date.parse(text) <= Date.now() + (scimTokenDays.max + 1) * dayMs,
    'A token can be valid for at most 2 years',
  );

/** Expires after a year by default. */
export const createScimTokenBody = z.strictObject({
  name,
  expires_at: expiresAt.optional(),
  /**
   * Whether the SCIM attributes `roles` and `userType` set the roles `admin` and `user`. Otherwise both attributes
   * are ignored.
   */
  can_assign_roles: z.boolean().default(false),
});

const overlapHoursMax = 168;

/**
 * The previous secret remains valid during the overlap. The new secret has the lifetime of the previous secret by
 * default.
 */
export const rotateScimTokenBody = z.strictObject({
  expires_at: expiresAt.optional(),
  overlap_hours: z.number().int().min(0).max(overlapHoursMax).default(0),
});

export const updateScimTokenBody = z.strictObject({ name, can_assign_roles: z.boolean() }).partial();

export const scimToken = z.object({
  id: z.number().int(),
  name: z.string(),
  masked_token: z.string(),
  can_assign_roles: z.boolean(),
  created_by_name: z.string().nullable(),
  created_at: instant,
  last_used_at: instant.nullable(),
  expires_at: instant,
  is_expired: z.boolean(),
  /** `null` if the previous secret is no longer valid. */
  former_expires_at: instant.nullable(),
});

export type ScimToken = z.infer<typeof scimToken>;

/** `token` is the secret, returned only in this response. */
const issuedScimToken = scimToken.extend({ token: z.string() });

const write = { surface: 'management', permission: 'settings.write' } as const;

export const scimTokensRoutes = defineRoutes({
  listScimTokens: {
    method: 'GET',
    path: '/admin/scim-tokens',
    surface: 'management',
    permission: 'settings.read',
    summary: 'List the SCIM tokens that are not revoked, and the base URL for the identity provider',
    response: z.object({ base_url: z.string(), scim_tokens: z.array(scimToken) }),
  },
  createScimToken: {
    ...write,
    refusesTokens: true,
    idempotent: true,
    method: 'POST',
    path: '/admin/scim-tokens',
    summary: 'Create a SCIM token; the response contains its secret, which is not shown again',
    request: { body: createScimTokenBody },
    response: issuedScimToken,
    status: 201,
  },
  updateScimToken: {
    ...write,
    refusesTokens: true,
    method: 'PUT',
    path: '/admin/scim-tokens/{id}',
    summary: 'Rename a SCIM token, or change whether it can assign roles',
    request: { params: idParams, body: updateScimTokenBody },
    response: scimToken,
  },
  rotateScimToken: {
    ...write,
    refusesTokens: true,
    idempotent: true,
    method: 'POST',
    path: '/admin/scim-tokens/{id}/rotate',
    summary: 'Replace the secret of a SCIM token; the previous one can stay valid for up to 7 days',
    request: { params: idParams, body: rotateScimTokenBody.default({ overlap_hours: 0 }) },
    response: issuedScimToken,
  },
  revokeScimToken: {
    ...write,
    method: 'DELETE',
    path: '/admin/scim-tokens/{id}',
    summary: 'Revoke a SCIM token permanently',
    request: { params: idParams },
    response: z.void(),
    status: 204,
  },
});
