import type { authRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { outside, read, write } from '#http/verbs.ts';
import { createAccountThrottle, createThrottle } from './attempt-throttle.ts';
import { changeOwnPassword } from './change-own-password.ts';
import { getCurrentUser } from './get-current-user.ts';
import { type LogInDeps, logIn } from './log-in.ts';
import { endOtherSessions, endSession, listSessions } from './own-sessions.ts';

export function createAuthHandlers(deps: LogInDeps): Handlers<typeof authRoutes> {
  const throttle = createThrottle(deps.database, deps.clock);
  const kind = { subject: 'own-password', noun: 'attempts with the current password' };
  const ownPasswords = createAccountThrottle(deps.database, deps.clock, kind);
  return {
    login: outside('counts attempts', (ctx, { form }) => logIn(deps, throttle, ctx, form)),
    getCurrentUser: read(getCurrentUser),
    listSessions: read(listSessions),
    endSession: write(endSession, ({ params }) => params.id),
    endOtherSessions: write(endOtherSessions),
    changeOwnPassword: outside('counts attempts', (ctx, { body }) =>
      changeOwnPassword(deps, ownPasswords, ctx, body),
    ),
  };
}
