import { z } from 'zod';
import { email } from '../email.ts';
import { foldPassword } from '../fold-text.ts';
import { instant } from '../ids.ts';
import { defineRoutes } from '../route.ts';

export const requestPasswordResetBody = z.strictObject({
  email,
});

export const resetPasswordBody = z.strictObject({
  password: z
    .string('Password is required')
    .overwrite(foldPassword)
    .min(1, 'Password is required')
    .min(6, 'Password must be at least 6 characters')
    .max(128, 'Password must be at most 128 characters'),
});

const resetParams = z.object({ token: z.string().max(100) });

const open = { surface: 'management', permission: 'anyone' } as const;

export const passwordResetsRoutes = defineRoutes({
  getPasswordResetSettings: {
    ...open,
    method: 'GET',
    path: '/auth/password-resets',
    summary: 'Check whether this installation sends password reset emails',
    response: z.object({ has_mail_server: z.boolean() }),
  },
  requestPasswordReset: {
    ...open,
    method: 'POST',
    path: '/auth/password-resets',
    summary:
      'Request a password reset link; the response is the same whether or not the email address has an account',
    request: { body: requestPasswordResetBody },
    response: z.void(),
    status: 204,
  },
  getPasswordReset: {
    ...open,
    method: 'GET',
    path: '/auth/password-resets/{token}',
    summary:
      'Get the account of a password reset link; 404 if the link is used, replaced or older than 30 minutes',
    request: { params: resetParams },
    response: z.object({ email: z.string(), expires_at: instant }),
  },
  resetPassword: {
    ...open,
    method: 'POST',
    path: '/auth/password-resets/{token}',
    summary: "Set a new password with a reset link, once; all of the user's sessions end",
    request: { params: resetParams, body: resetPasswordBody },
    response: z.void(),
    status: 204,
  },
});
