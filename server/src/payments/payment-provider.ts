import type { PaymentProviderName, PaymentStatus } from '@sluice/contract';
import type { CardProvider } from './card-provider.ts';
import type { SubscriptionProvider } from './subscription-provider.ts';

/** Charges cards: Stripe, or the simulated provider of a demo. Its state of a payment is authoritative. */
export interface PaymentProvider extends CardProvider, SubscriptionProvider {
  readonly name: PaymentProviderName;
  /** Key for the card fields in the browser; `null` if the provider has no fields of its own. */
  readonly publishableKey: string | null;
  /**
   * Creates a payment; the same idempotency key returns the same intent.
   * @throws PaymentRefusedError if the provider rejects the payment
   */
  createIntent(draft: IntentDraft): Promise<ProviderIntent>;
  /** Returns the current state of a payment; `null` if the provider has no such intent. */
  readIntent(intentId: string): Promise<ProviderIntent | null>;
  /**
   * Verifies and parses an event.
   * @throws SignatureRefusedError for a delivery that is not the provider's, or older than 300 s
   */
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
  /** The received amount once it has succeeded, the requested one before. */
  readonly amountCents: number;
  /** Why the last attempt to pay failed. */
  readonly failure: string | null;
  /** All refunds, including failed ones. */
  readonly refunds: readonly MoneyTaken[];
  /** All disputes, including those that were won or took no money. */
  readonly disputes: readonly MoneyTaken[];
  /** Refunds and disputes that are not in US dollars, such as `refund re_1 in EUR`; the lists omit them. */
  readonly foreignCurrencies: readonly string[];
}

/** A refund or a dispute. */
export interface MoneyTaken {
  readonly id: string;
  /** The amount it currently takes from the payment: 0 once a refund has failed or a dispute was won. */
  readonly takenCents: number;
}

export interface ProviderEvent {
  readonly id: string;
  readonly type: string;
  /** The payment that the event concerns, if any. */
  readonly intentId: string | null;
  /** The customer whose cards, subscription or invoice the event concerns, if any. */
  readonly customerId: string | null;
  readonly payload: unknown;
}

/** Thrown when the provider rejects a payment; its message is for the payer. */
export class PaymentRefusedError extends Error {
  override readonly name = 'PaymentRefusedError';
}

/** Message for an unknown card and for a card of another customer, which must not be distinguishable. */
export const unknownPaymentMethod = 'No such payment method. Please enter the card again.';

/** Thrown for a delivery that cannot be verified as the provider's. */
export class SignatureRefusedError extends Error {
  override readonly name = 'SignatureRefusedError';
}
