import { z } from 'zod';
import { whenAbsent } from '../describe-field-problem.ts';
import { permissions, roleNames } from '../permissions.ts';
import { defineRoutes } from '../route.ts';

export const loginForm = z.object({
  username: z.string(whenAbsent('Email is required')).min(1, 'Email is required').max(320),
  password: z.string(whenAbsent('Password is required')).min(1, 'Password is required').max(128),
});

export const session = z.object({ access_token: z.string(), token_type: z.literal('bearer') });

export const currentUser = z.object({
  id: z.number().int(),
  name: z.string(),
  email: z.string(),
  role: z.object({ name: z.enum(roleNames), permissions: z.array(z.enum(permissions)) }),
  tenant: z.object({ id: z.number().int(), name: z.string(), slug: z.string() }),
});

export type CurrentUser = z.infer<typeof currentUser>;

export const authRoutes = defineRoutes({
  login: {
    method: 'POST',
    path: '/auth/login',
    surface: 'management',
    permission: 'anyone',
    summary: 'Exchange an e-mail address and a password for a session token',
    request: { form: loginForm },
    response: session,
  },
  getCurrentUser: {
    method: 'GET',
    path: '/auth/me',
    surface: 'management',
    permission: 'account.read',
    summary: 'Who the token belongs to, and in which tenant they act',
    tellsTenant: true,
    response: currentUser,
  },
});
