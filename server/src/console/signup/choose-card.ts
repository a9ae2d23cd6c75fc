import { invalidField } from '#errors/console-error.ts';
import type { PaymentProvider } from '#payments/payment-provider.ts';

interface GivenCard {
  readonly payment_method_id?: string | null | undefined;
  readonly setup_intent_id?: string | null | undefined;
}

/**
 * Returns the card for a new tenant's plan: for a free plan, that of a successful setup intent.
 * @throws ConsoleError 422 without such a card.
 */
export async function chooseCard(
  provider: Pick<PaymentProvider, 'readSetupIntent'>,
  { payment_method_id, setup_intent_id }: GivenCard,
  isFree: boolean,
): Promise<string> {
  if (isFree) return readSetUpCard(provider, setup_intent_id);
  if (!payment_method_id) throw invalidField('payment_method_id', 'This plan needs a payment method');
  return payment_method_id;
}

async function readSetUpCard(
  provider: Pick<PaymentProvider, 'readSetupIntent'>,
  id: string | null | undefined,
): Promise<string> {
  if (!id) throw invalidField('setup_intent_id', 'Setup intent not created');
  const intent = await provider.readSetupIntent(id);
  if (intent?.status !== 'succeeded' || intent.paymentMethodId === null) {
    throw invalidField('setup_intent_id', 'The card is not set up yet. Please enter it again.');
  }
  return intent.paymentMethodId;
}
