import type { passwordResetsRoutes } from '@sluice/contract';
import { createAddressThrottle } from '#console/auth/throttle.ts';
import type { Handlers } from '#http/console-route.ts';
import { requestPasswordReset } from './request.ts';
import { getPasswordReset, type ResetDeps, resetPassword } from './reset.ts';

export function createPasswordResetsHandlers(deps: ResetDeps): Handlers<typeof passwordResetsRoutes> {
  const createThrottle = (subject: string, noun: string) =>
    createAddressThrottle(deps.database, deps.clock, { subject, noun });
  const asked = createThrottle('password-reset', 'password reset requests');
  const tried = createThrottle('password-reset-link', 'attempts to open a link');
  return {
    getPasswordResetSettings: async () => ({ has_mail_server: deps.hasMailServer }),
    requestPasswordReset: (ctx, { body }) => requestPasswordReset(deps, asked, ctx, body.email),
    getPasswordReset: (ctx, { params }) => getPasswordReset(deps, tried, ctx, params.token),
    resetPassword: (ctx, { params, body }) => resetPassword(deps, tried, ctx, { ...params, ...body }),
  };
}
