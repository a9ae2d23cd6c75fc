import type { passwordResetsRoutes } from '@sluice/contract';
import { createAddressThrottle } from '#console/auth/attempt-throttle.ts';
import type { Handlers } from '#http/console-route.ts';
import { outside } from '#http/verbs.ts';
import { requestPasswordReset } from './request.ts';
import { getPasswordReset, type ResetDeps, resetPassword } from './reset.ts';

export function createPasswordResetsHandlers(deps: ResetDeps): Handlers<typeof passwordResetsRoutes> {
  const createThrottle = (subject: string, noun: string) =>
    createAddressThrottle(deps.database, deps.clock, { subject, noun });
  const asked = createThrottle('password-reset', 'password reset requests');
  const tried = createThrottle('password-reset-link', 'attempts to open a link');
  return {
    getPasswordResetSettings: outside('needs no transaction', async () => ({
      has_mail_server: deps.hasMailServer,
    })),
    requestPasswordReset: outside('counts attempts', (ctx, { body }) =>
      requestPasswordReset(deps, asked, ctx, body.email),
    ),
    getPasswordReset: outside('counts attempts', (ctx, { params }) =>
      getPasswordReset(deps, tried, ctx, params.token),
    ),
    resetPassword: outside('counts attempts', (ctx, { params, body }) =>
      resetPassword(deps, tried, ctx, { ...params, ...body }),
    ),
  };
}
