import type { secondFactorRoutes } from '@sluice/contract';
import { createAccountThrottle, createThrottle } from '#console/auth/attempt-throttle.ts';
import type { Handlers } from '#http/console-route.ts';
import { outside, read, write } from '#http/verbs.ts';
import {
  addPasskey,
  type ChangeFactorsDeps,
  confirmPassword,
  confirmTotp,
  getSecondFactor,
  removePasskey,
  removeTotp,
  renewRecoveryCodes,
  startPasskey,
  startTotp,
} from './change-factors.ts';
import { type CompleteSignInDeps, completeSignIn } from './complete-sign-in.ts';
import { finishPasskeySignIn, startPasskeySignIn } from './passkey-sign-in.ts';
import { resetSecondFactor } from './reset.ts';

export interface SecondFactorDeps extends CompleteSignInDeps, ChangeFactorsDeps {}

export function createSecondFactorHandlers(deps: SecondFactorDeps): Handlers<typeof secondFactorRoutes> {
  const { database, clock } = deps;
  const signIns = createThrottle(database, clock);
  const kind = { subject: 'own-password', noun: 'attempts with the current password' };
  const ownPasswords = createAccountThrottle(database, clock, kind);
  return {
    completeSignIn: outside('counts attempts', (ctx, { body }) => completeSignIn(deps, signIns, ctx, body)),
    startPasskeySignIn: outside('needs no transaction', async (ctx) => startPasskeySignIn(deps, ctx)),
    finishPasskeySignIn: outside('counts attempts', (ctx, { body }) =>
      finishPasskeySignIn(deps, signIns, ctx, body),
    ),
    getSecondFactor: read(getSecondFactor.bind(null, deps)),
    confirmPassword: outside('counts attempts', (ctx, { body }) =>
      confirmPassword(deps, ownPasswords, ctx, body.password),
    ),
    startTotp: write(startTotp.bind(null, deps)),
    confirmTotp: outside('renews the session', (ctx, { body }) => confirmTotp(deps, ctx, body)),
    removeTotp: outside('renews the session', (ctx) => removeTotp(deps, ctx)),
    startPasskey: write(startPasskey.bind(null, deps)),
    addPasskey: outside('renews the session', (ctx, { body }) => addPasskey(deps, ctx, body)),
    removePasskey: outside('renews the session', (ctx, { params }) => removePasskey(deps, ctx, params.id)),
    renewRecoveryCodes: outside('renews the session', (ctx) => renewRecoveryCodes(deps, ctx)),
    resetSecondFactor: write(resetSecondFactor.bind(null, deps), ({ params }) => params.id),
  };
}
