import type { PaymentProviderName, PaymentStatus } from '@sluice/contract';
import type { CardProvider } from './card-provider.ts';
import type { SubscriptionProvider } from './subscription-provider.ts';

/** Takes cards. Stripe, or the simulated one of a demonstration; what it says of a payment is the truth about it. */
export interface PaymentProvider extends CardProvider, SubscriptionProvider {
  readonly name: PaymentProviderName;
  /** For the browser's card fields; `null` where the provider has none of its own. */
  readonly publishableKey: string | null;
  /**
   * Begins a payment; the same idempotency key answers the same intent.
   * @throws PaymentRefusedError when the provider does not take such a payment
   */
  createIntent(draft: IntentDraft): Promise<ProviderIntent>;
  /** How a payment stands now; `null` when the provider has no such intent. */
  readIntent(intentId: string): Promise<ProviderIntent | null>;
  /** @throws SignatureRefusedError for a delivery that is not the provider's, or older than 300 s */
  readEvent(body: Buffer, signature: string): ProviderEvent;
}

export interface IntentDraft {
  readonly amountCents: number;
  readonly description: string;
  readonly idempotencyKey: string;
}

export interface ProviderIntent {
  readonly id: string;
  readonly clientSecret: string;
  readonly status: PaymentStatus;
  /** What was received once it has succeeded, and what is asked for before. */
  readonly amountCents: number;
  /** Why the last attempt to pay failed. */
  readonly failure: string | null;
  /** All refunds, also failed ones. */
  readonly refunds: readonly MoneyTaken[];
  /** All disputes, also those that were won or took no money. */
  readonly disputes: readonly MoneyTaken[];
  /** Refunds and disputes that are not in US dollars, such as `refund re_1 in EUR`; the lists lack them. */
  readonly foreignCurrencies: readonly string[];
}

/** A refund or a dispute. */
export interface MoneyTaken {
  readonly id: string;
  /** What it takes from the payment at present: 0 once a refund has failed or a dispute was won. */
  readonly takenCents: number;
}

export interface ProviderEvent {
  readonly id: string;
  readonly type: string;
  /** The payment that it is about, if any. */
  readonly intentId: string | null;
  /** Whose cards, subscription or invoice it is about, if any. */
  readonly customerId: string | null;
  readonly payload: unknown;
}

/** The provider says why not; its words are for the payer. */
export class PaymentRefusedError extends Error {
  override readonly name = 'PaymentRefusedError';
}

/** Of a card that is nobody's or somebody else's: which of the two is not told. */
export const unknownPaymentMethod = 'No such payment method. Please enter the card again.';

/** A delivery that nobody knows to be the provider's. */
export class SignatureRefusedError extends Error {
  override readonly name = 'SignatureRefusedError';
}
