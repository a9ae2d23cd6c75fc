import type { signupRoutes } from '@sluice/contract';
import { createAccountThrottle, createAddressThrottle } from '#console/auth/attempt-throttle.ts';
import { requireProvider } from '#console/payments/require-provider.ts';
import { ConsoleError } from '#errors/console-error.ts';
import type { Handlers } from '#http/console-route.ts';
import { outside } from '#http/verbs.ts';
import type { PaymentProvider } from '#payments/payment-provider.ts';
import { trialDays } from '#payments/start-subscription.ts';
import { confirmSignup, getSignupConfirmation, resendConfirmation } from './confirmation.ts';
import { type SignUpDeps, signUp } from './sign-up.ts';

export interface SignupDeps extends Omit<SignUpDeps, 'provider' | 'throttle'> {
  /** `null` if payments are not configured. */
  readonly provider: PaymentProvider | null;
  readonly isSignupOpen: boolean;
}

export function createSignupHandlers(given: SignupDeps): Handlers<typeof signupRoutes> {
  const { system, clock, isSignupOpen } = given;
  const createThrottle = (subject: string, noun: string) =>
    createAddressThrottle(system, clock, { subject, noun });
  const throttle = createThrottle('signup', 'signups');
  const resends = createThrottle('signup-resend', 'requests for a confirmation email');
  const links = createThrottle('signup-link', 'attempts to open a link');
  const tries = createAccountThrottle(system, clock, {
    subject: 'signup-password',
    noun: 'password attempts',
  });
  const open = () => {
    if (!isSignupOpen) {
      throw new ConsoleError(
        403,
        'Signup is closed. Ask an administrator of your organization or the operator of this gateway for an invitation.',
      );
    }
    return { ...given, throttle, links, tries, provider: requireProvider(given.provider) };
  };
  return {
    getSignupSetup: outside('needs no transaction', async () => ({
      is_open: isSignupOpen,
      trial_days: trialDays,
    })),
    signUp: outside('counts attempts', async (ctx, { body }) => signUp(open(), ctx, body)),
    resendSignupConfirmation: outside('counts attempts', async (ctx, { body }) =>
      resendConfirmation(open(), resends, ctx, body.email),
    ),
    getSignupConfirmation: outside('counts attempts', async (ctx, { params }) =>
      getSignupConfirmation(open(), ctx, params.token),
    ),
    confirmSignup: outside('counts attempts', async (ctx, { params, body }) =>
      confirmSignup(open(), ctx, { ...params, ...body }),
    ),
  };
}
