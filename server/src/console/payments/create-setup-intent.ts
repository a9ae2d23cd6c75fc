import type { SetupIntent } from '@sluice/contract';
import type { AddressThrottle } from '#console/auth/throttle.ts';
import { ConsoleError } from '#errors/console-error.ts';
import type { RequestContext } from '#http/console-route.ts';
import type { PaymentProvider } from '#payments/payment-provider.ts';

/** Starts setting up a card without a customer. Public while signup is open, throttled by IP. */
export async function createSetupIntent(
  provider: PaymentProvider,
  { isSignupOpen, setups }: { readonly isSignupOpen: boolean; readonly setups: AddressThrottle },
  ctx: RequestContext,
): Promise<SetupIntent> {
  if (!(await ctx.findCaller())) {
    if (!isSignupOpen) throw new ConsoleError(403, 'Signup is closed');
    await setups.count(ctx.address);
  }
  const { id, clientSecret } = await provider.createSetupIntent({
    idempotencyKey: `sluice-setup-${ctx.requestId}`,
  });
  return { client_secret: clientSecret, setup_intent_id: id };
}
