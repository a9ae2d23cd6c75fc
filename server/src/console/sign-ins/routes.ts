import type { signInsRoutes } from '@sluice/contract';
import { createAddressThrottle } from '#console/auth/attempt-throttle.ts';
import type { Handlers } from '#http/console-route.ts';
import { outside } from '#http/verbs.ts';
import { receiveRedirect, redirectToProvider } from './by-redirect.ts';
import { getClientKeys } from './client-keys.ts';
import { type FinishDeps, finishSignIn } from './finish.ts';
import { logOut, receiveBackchannelLogout } from './log-out.ts';
import { getSignInOptions, startSignIn } from './start.ts';

export function createSignInsHandlers(deps: FinishDeps): Handlers<typeof signInsRoutes> {
  const { database, clock } = deps;
  const signIns = createAddressThrottle(database, clock, { subject: 'sign-in', noun: 'sign-ins' });
  const notices = createAddressThrottle(database, clock, { subject: 'logout-token', noun: 'logout tokens' });
  return {
    getSignInOptions: outside('spans two scopes', (_ctx, { query }) => getSignInOptions(deps, query)),
    startSignIn: outside('counts attempts', (ctx, { body }) =>
      startSignIn(deps, signIns, ctx, body.identity_provider_id),
    ),
    redirectToProvider: outside('counts attempts', (ctx, { params }) =>
      redirectToProvider(deps, signIns, ctx, params.id),
    ),
    receiveRedirect: outside('spans two scopes', (ctx, { params, query }) =>
      receiveRedirect(deps, ctx, { id: params.id, query }),
    ),
    getClientKeys: outside('needs no transaction', (_ctx, { params }) => getClientKeys(deps, params.id)),
    finishSignIn: outside('counts attempts', (ctx, { body }) => finishSignIn(deps, signIns, ctx, body)),
    logout: outside('spans two scopes', (ctx) => logOut(deps, ctx)),
    receiveBackchannelLogout: outside('counts attempts', (ctx, { params, form }) =>
      receiveBackchannelLogout(deps, notices, ctx, { id: params.id, token: form.logout_token }),
    ),
  };
}
