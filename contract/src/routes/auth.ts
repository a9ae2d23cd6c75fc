import { z } from 'zod';
import { whenAbsent } from '../describe-field-problem.ts';
import { foldEmail } from '../email.ts';
import { foldPassword, typedPasswordMax } from '../fold-text.ts';
import { instant } from '../ids.ts';
import { permissions, roleNames } from '../permissions.ts';
import { defineRoutes } from '../route.ts';
import { preferences } from './preferences.ts';

export const loginForm = z.object({
  username: z
    .string(whenAbsent('Email is required'))
    .min(1, 'Email is required')
    .max(320)
    .overwrite(foldEmail),
  password: z.string(whenAbsent('Password is required')).min(1, 'Password is required').max(typedPasswordMax),
});

export const session = z.object({ access_token: z.string(), token_type: z.literal('bearer') });

export const changeOwnPasswordBody = z
  .strictObject({
    current_password: z
      .string('Current password is required')
      .min(1, 'Current password is required')
      .max(typedPasswordMax, `Current password must be at most ${typedPasswordMax} characters`),
    new_password: z
      .string('New password is required')
      .overwrite(foldPassword)
      .min(1, 'New password is required')
      .min(6, 'New password must be at least 6 characters')
      .max(128, 'New password must be at most 128 characters'),
  })
  .refine((body) => foldPassword(body.current_password) !== body.new_password, {
    path: ['new_password'],
    message: 'New password must be different from current password',
  });

export const openSession = z.object({
  id: z.uuid(),
  created_at: instant,
  /** Delayed by up to a few minutes. */
  last_used_at: instant,
  expires_at: instant,
  address: z.string(),
  user_agent: z.string(),
  /** Whether this session sent the request. */
  is_current: z.boolean(),
});

export type OpenSession = z.infer<typeof openSession>;

export const currentUser = z.object({
  id: z.number().int(),
  name: z.string(),
  email: z.string(),
  role: z.object({ name: z.enum(roleNames), permissions: z.array(z.enum(permissions)) }),
  tenant: z.object({
    id: z.number().int(),
    name: z.string(),
    slug: z.string(),
    time_zone: z.string(),
  }),
  /** `is_required` is true if the role requires a second factor. */
  second_factor: z.object({ is_on: z.boolean(), is_required: z.boolean() }),
  /** `null` until the user has chosen preferences. */
  preferences: preferences.nullable(),
});

export type CurrentUser = z.infer<typeof currentUser>;

const account = { surface: 'management', permission: 'account.read' } as const;

export const authRoutes = defineRoutes({
  login: {
    method: 'POST',
    path: '/auth/login',
    surface: 'management',
    permission: 'anyone',
    summary:
      'Exchange an email address and a password for a session token, or, if the account has a second factor, for a 401 with a ticket for completeSignIn',
    request: { form: loginForm },
    response: session,
  },
  getCurrentUser: {
    method: 'GET',
    path: '/auth/me',
    surface: 'management',
    permission: 'account.read',
    summary: 'Get the user of the token and the effective tenant',
    tellsTenant: true,
    servesSetup: true,
    response: currentUser,
  },
  listSessions: {
    ...account,
    refusesTokens: true,
    method: 'GET',
    path: '/auth/sessions',
    summary: "List the caller's active sessions, most recently used first",
    response: z.array(openSession),
  },
  endSession: {
    ...account,
    refusesTokens: true,
    method: 'DELETE',
    path: '/auth/sessions/{id}',
    summary: "End one of the caller's sessions",
    request: { params: z.object({ id: z.uuid() }) },
    response: z.void(),
    status: 204,
  },
  endOtherSessions: {
    ...account,
    refusesTokens: true,
    method: 'DELETE',
    path: '/auth/sessions',
    summary: "End all of the caller's sessions except the current one",
    response: z.void(),
    status: 204,
  },
  changeOwnPassword: {
    ...account,
    refusesTokens: true,
    method: 'POST',
    path: '/user/change-password',
    summary:
      "Change the caller's own password; all other sessions end, and the current one continues with the returned token",
    request: { body: changeOwnPasswordBody },
    response: session.extend({ message: z.string() }),
  },
});
