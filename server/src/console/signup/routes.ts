import type { signupRoutes } from '@sluice/contract';
import { createAddressThrottle } from '#console/auth/throttle.ts';
import { requireProvider } from '#console/payments/require-provider.ts';
import { ConsoleError } from '#errors/console-error.ts';
import type { Handlers } from '#http/console-route.ts';
import type { PaymentProvider } from '#payments/payment-provider.ts';
import { trialDays } from '#payments/start-subscription.ts';
import type { Clock } from '#platform/clock.ts';
import { type SignUpDeps, signUp } from './sign-up.ts';

export interface SignupDeps extends Omit<SignUpDeps, 'provider' | 'throttle'> {
  /** `null` = payments are not set up. */
  readonly provider: PaymentProvider | null;
  readonly clock: Clock;
  readonly isSignupOpen: boolean;
}

export function createSignupHandlers(deps: SignupDeps): Handlers<typeof signupRoutes> {
  const throttle = createAddressThrottle(deps.system, deps.clock, { subject: 'signup', noun: 'signups' });
  return {
    getSignupSetup: async () => ({ is_open: deps.isSignupOpen, trial_days: trialDays }),
    signUp: async (ctx, { body }) => {
      if (!deps.isSignupOpen) {
        throw new ConsoleError(
          403,
          'Signup is closed here. Ask whoever runs this gateway, or an administrator of your organisation, for an invitation.',
        );
      }
      return signUp({ ...deps, throttle, provider: requireProvider(deps.provider) }, ctx, body);
    },
  };
}
