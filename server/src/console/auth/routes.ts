import type { authRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { changeOwnPassword } from './change-own-password.ts';
import { type LogInDeps, logIn } from './log-in.ts';
import { endOtherSessions, endSession, getCurrentUser, listSessions, logOut } from './sessions.ts';
import { createAccountThrottle, createThrottle } from './throttle.ts';

export function createAuthHandlers(deps: LogInDeps): Handlers<typeof authRoutes> {
  const throttle = createThrottle(deps.database, deps.clock);
  const kind = { subject: 'own-password', noun: 'attempts with the current password' };
  const ownPasswords = createAccountThrottle(deps.database, deps.clock, kind);
  return {
    login: (ctx, { form }) => logIn(deps, throttle, ctx, form),
    getCurrentUser: (ctx) => getCurrentUser(ctx),
    logout: (ctx) => logOut(ctx),
    listSessions: (ctx) => listSessions(ctx),
    endSession: (ctx, { params }) => endSession(ctx, params.id),
    endOtherSessions: (ctx) => endOtherSessions(ctx),
    changeOwnPassword: (ctx, { body }) => changeOwnPassword(deps, ownPasswords, ctx, body),
  };
}
