import type { PaymentProviderName, PaymentStatus, SubscriptionStatus } from '@sluice/contract';

/**
 * Provider that charges cards: Stripe, or the simulated provider of a demo. The provider's state of a payment is
 * authoritative.
 */
export interface PaymentProvider extends CardProvider, SubscriptionProvider {
  readonly name: PaymentProviderName;
  /** Key for the card fields in the browser; `null` if the provider has no card fields. */
  readonly publishableKey: string | null;
  /**
   * Creates a payment. The same idempotency key returns the same intent.
   * @throws PaymentRefusedError if the provider rejects the payment
   */
  createIntent(draft: IntentDraft): Promise<ProviderIntent>;
  /** Returns the current state of a payment; `null` if the provider has no such intent. */
  readIntent(intentId: string): Promise<ProviderIntent | null>;
  /**
   * Verifies and parses an event.
   * @throws SignatureRefusedError if the event is not signed by the provider, or is older than 300 s
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
  /** Received amount of a succeeded payment, or the requested amount before. */
  readonly amountCents: number;
  readonly failure: string | null;
  /** All refunds, including failed ones. */
  readonly refunds: readonly MoneyTaken[];
  /** All disputes, including won disputes and disputes without a deduction. */
  readonly disputes: readonly MoneyTaken[];
  /**
   * Refunds and disputes that are not in US dollars, such as `refund re_1 in EUR`. They are missing in the two lists.
   */
  readonly foreignCurrencies: readonly string[];
}

export interface MoneyTaken {
  readonly id: string;
  /** Amount currently deducted from the payment: 0 after a failed refund or a won dispute. */
  readonly takenCents: number;
}

export interface ProviderEvent {
  readonly id: string;
  readonly type: string;
  /** Payment that the event concerns, if any. */
  readonly intentId: string | null;
  /** Customer whose cards, subscription or invoice the event concerns, if any. */
  readonly customerId: string | null;
  readonly payload: unknown;
}

/** Thrown when the provider rejects a payment. The message is for the payer. */
export class PaymentRefusedError extends Error {
  override readonly name = 'PaymentRefusedError';
}

/** Error message for an unknown card and for another customer's card, so that the two cases look the same. */
export const unknownPaymentMethod = 'No such payment method. Please enter the card again.';

/** Thrown when the provider's signature of a delivery cannot be verified. */
export class SignatureRefusedError extends Error {
  override readonly name = 'SignatureRefusedError';
}

/** Store for payers' cards. Sluice only reads their brand, last four digits and expiry. */
export interface CardProvider {
  /** Creates a customer. The same idempotency key returns the same customer. */
  createCustomer(draft: CustomerDraft): Promise<string>;
  /** Starts the setup of a card for later payments. The payer confirms the setup in the browser with the secret. */
  createSetupIntent(draft: SetupIntentDraft): Promise<{ readonly id: string; readonly clientSecret: string }>;
  /** Returns the current state; `null` if the provider has no such intent. */
  readSetupIntent(id: string): Promise<ProviderSetupIntent | null>;
  /**
   * Stores a card for a customer. It becomes the default if the customer does not have a default card. Returns the card
   * with its final id, which differs for test names. The same idempotency key returns the same card.
   * @throws PaymentRefusedError if the card is declined or belongs to another customer
   */
  attachPaymentMethod(
    customerId: string,
    paymentMethodId: string,
    idempotencyKey?: string,
  ): Promise<ProviderPaymentMethod>;
  listPaymentMethods(customerId: string): Promise<ProviderPaymentMethod[]>;
  detachPaymentMethod(paymentMethodId: string): Promise<void>;
  /** Sets the default card for renewals. The card must belong to the customer. */
  setDefaultPaymentMethod(customerId: string, paymentMethodId: string): Promise<void>;
}

export interface CustomerDraft {
  readonly email: string;
  readonly name: string;
  readonly idempotencyKey: string;
}

export interface SetupIntentDraft {
  /** Customer who gets the card after the setup. If absent, the card must be attached explicitly. */
  readonly customerId?: string | undefined;
  readonly idempotencyKey: string;
}

export interface ProviderSetupIntent {
  readonly id: string;
  readonly status: 'pending' | 'succeeded' | 'failed' | 'canceled';
  readonly paymentMethodId: string | null;
  readonly customerId: string | null;
}

export interface ProviderPaymentMethod {
  readonly id: string;
  readonly brand: string;
  readonly last4: string;
  readonly expMonth: number;
  readonly expYear: number;
  readonly isDefault: boolean;
}

/** Provider that charges the price of a plan to the customer's default card each month. */
export interface SubscriptionProvider {
  /**
   * Starts a subscription. The same idempotency key returns the same subscription. A trial charges nothing; without a
   * trial, the first month is charged immediately.
   * @throws PaymentRefusedError if the first month cannot be charged
   */
  createSubscription(draft: SubscriptionDraft): Promise<ProviderSubscription>;
  /** Returns the current state; `null` if the provider has no such subscription. */
  readSubscription(subscriptionId: string): Promise<ProviderSubscription | null>;
  /** Changes the plan, prorated for the current month, and reverts a cancellation. */
  changeSubscriptionPlan(subscriptionId: string, plan: ProviderPlan): Promise<ProviderSubscription>;
  /** Ends the subscription at the end of the paid period or trial, or immediately if a renewal is unpaid. */
  cancelSubscription(subscriptionId: string): Promise<ProviderSubscription>;
  /**
   * Charges unpaid invoices to the default card immediately.
   * @throws PaymentRefusedError if the card is declined or missing
   */
  payUnpaid(subscriptionId: string): Promise<ProviderSubscription>;
}

export interface ProviderPlan {
  readonly id: string;
  readonly name: string;
  readonly monthlyCents: number;
}

export interface SubscriptionDraft {
  readonly customerId: string;
  readonly plan: ProviderPlan;
  readonly trialEndsAt: Date | null;
  readonly idempotencyKey: string;
}

export interface ProviderSubscription {
  readonly id: string;
  readonly customerId: string;
  readonly planId: string | null;
  readonly status: SubscriptionStatus;
  readonly hasPaymentMethod: boolean;
  readonly trialEndsAt: Date | null;
  readonly periodEndsAt: Date | null;
  /** Time when a canceled subscription ends or ended. */
  readonly endsAt: Date | null;
  /** Time of the failed renewal; `null` if no renewal is unpaid. */
  readonly unpaidSince: Date | null;
  readonly failure: string | null;
}
