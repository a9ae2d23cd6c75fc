import { z } from 'zod';
import { bulkOutcomes, bulkRowsMax } from '../bulk.ts';
import { email } from '../email.ts';
import { isPlainLine, notPlainLine } from '../fields.ts';
import { foldPassword } from '../fold-text.ts';
import { id, idParams, instant } from '../ids.ts';
import { pageBefore, pageQuery } from '../pagination.ts';
import { roleNames } from '../permissions.ts';
import { defineRoutes } from '../route.ts';
import { createUserBody } from './users.ts';

/** `expired` invitations are older than seven days, or their inviter may no longer assign the role. */
export const invitationStatuses = ['pending', 'accepted', 'expired', 'cancelled'] as const;

export type InvitationStatus = (typeof invitationStatuses)[number];

/** Parts that are no longer valid at acceptance are skipped. */
export const startAccess = z.strictObject({
  ...createUserBody.pick({ daily_quota: true, monthly_quota: true, requests_per_hour: true }).shape,
  task_id: id.optional(),
  /** Whether the user may send requests without a task. */
  has_api_access: z.boolean().optional(),
  team_id: id.optional(),
  /** The provider's models, as enabled at acceptance, are granted to the user. */
  llm_provider_id: id.optional(),
});

export type StartAccess = z.output<typeof startAccess>;

export const createInvitationBody = z.strictObject({
  email,
  role: z.enum(roleNames, 'Role selection is required'),
  ...startAccess.shape,
});

/** Each row is validated separately by `createInvitationBody`. */
export const createInvitationsBody = z.strictObject({
  invitations: z.array(z.looseObject({})).min(1).max(bulkRowsMax),
});

export const acceptInvitationBody = z.strictObject({
  name: z
    .string('Please enter your full name')
    .trim()
    .min(1, 'Please enter your full name')
    .max(200, 'Your name must be at most 200 characters')
    .refine(isPlainLine, notPlainLine('Your name')),
  password: z
    .string('Password must be at least 6 characters long')
    .overwrite(foldPassword)
    .min(6, 'Password must be at least 6 characters long')
    .max(128, 'Password must be at most 128 characters long'),
});

export const invitation = z.object({
  id: z.number().int(),
  email: z.string(),
  role: z.enum(roleNames),
  status: z.enum(invitationStatuses),
  invited_by_name: z.string().nullable(),
  created_at: instant,
  expires_at: instant,
  accepted_at: instant.nullable(),
});

export type Invitation = z.infer<typeof invitation>;

export const invitationStats = z.object({
  total: z.number().int(),
  pending: z.number().int(),
  accepted: z.number().int(),
  expired: z.number().int(),
  cancelled: z.number().int(),
});

export type InvitationStats = z.infer<typeof invitationStats>;

/** Shown to the invitee before acceptance. */
export const invitationDetails = z.object({
  company_name: z.string(),
  inviter_name: z.string(),
  role_name: z.enum(roleNames),
  email: z.string(),
});

export type InvitationDetails = z.infer<typeof invitationDetails>;

const read = { surface: 'management', permission: 'users.read' } as const;
const write = { surface: 'management', permission: 'users.write' } as const;
const open = { surface: 'management', permission: 'anyone' } as const;
const tokenParams = z.object({ token: z.string().min(1).max(200) });

export const invitationsRoutes = defineRoutes({
  createInvitation: {
    idempotent: true,
    ...write,
    method: 'POST',
    path: '/admin/invitations',
    summary: 'Invite a user by email, or by a link from the outbox if no mail server is configured',
    request: { body: createInvitationBody },
    response: invitation,
    status: 201,
  },
  createInvitations: {
    idempotent: true,
    ...write,
    method: 'POST',
    path: '/admin/invitations/bulk',
    summary:
      'Invite up to 500 users in one transaction; rows that fail are reported and do not affect the others',
    request: { body: createInvitationsBody },
    response: bulkOutcomes,
  },
  listInvitations: {
    ...read,
    method: 'GET',
    path: '/admin/invitations',
    summary: 'List invitations, newest first',
    request: {
      query: z.strictObject({
        status_filter: z.enum(invitationStatuses).optional(),
        ...pageQuery(50),
        before: pageBefore,
      }),
    },
    response: z.array(invitation),
  },
  getInvitationStats: {
    ...read,
    method: 'GET',
    path: '/admin/invitations/stats',
    summary: 'Get the number of invitations by status',
    response: invitationStats,
  },
  cancelInvitation: {
    ...write,
    method: 'DELETE',
    path: '/admin/invitations/{id}',
    summary: 'Revoke a pending invitation',
    request: { params: idParams },
    response: invitation,
  },
  resendInvitation: {
    idempotent: true,
    ...write,
    method: 'POST',
    path: '/admin/invitations/{id}/resend',
    summary:
      'Resend an invitation with a new link that is valid for seven days; the old link becomes invalid',
    request: { params: idParams },
    response: invitation,
  },
  getInvitationDetails: {
    ...open,
    method: 'GET',
    path: '/invitations/public/{token}/details',
    summary: 'Get the inviter and invitee for the holder of the link',
    request: { params: tokenParams },
    response: invitationDetails,
  },
  acceptInvitation: {
    ...open,
    method: 'POST',
    path: '/invitations/public/{token}/accept',
    summary: 'Create the account of an invitation; works once',
    request: { params: tokenParams, body: acceptInvitationBody },
    response: z.object({ message: z.string(), email: z.string() }),
    status: 201,
  },
});
