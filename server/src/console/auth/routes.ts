import type { authRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { getCurrentUser } from './get-current-user.ts';
import { type LogInDeps, logIn } from './log-in.ts';
import { createThrottle } from './throttle.ts';

export function createAuthHandlers(deps: LogInDeps): Handlers<typeof authRoutes> {
  const throttle = createThrottle(deps.database, deps.clock);
  return {
    login: (ctx, { form }) => logIn(deps, throttle, ctx, form),
    getCurrentUser: (ctx) => getCurrentUser(ctx),
  };
}
