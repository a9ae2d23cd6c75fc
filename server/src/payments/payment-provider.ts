import type { PaymentProviderName, PaymentStatus, SubscriptionStatus } from '@sluice/contract';

/**
 * Provider that charges cards: Stripe, or the simulated provider of a demo. Its state of a payment is authoritative.
 */
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
  /** The amount that it currently deducts from the payment: 0 once a refund has failed or a dispute was won. */
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

/** Message for an unknown card and for another customer's card, so that the two cannot be distinguished. */
export const unknownPaymentMethod = 'No such payment method. Please enter the card again.';

/** Thrown when a delivery cannot be verified as sent by the provider. */
export class SignatureRefusedError extends Error {
  override readonly name = 'SignatureRefusedError';
}

/** Store for payers' cards; only their last four digits are available here. */
export interface CardProvider {
  /** Creates a customer; the same idempotency key returns the same customer. */
  createCustomer(draft: CustomerDraft): Promise<string>;
  /** Starts the setup of a card for later payments; the payer confirms it in the browser with the secret. */
  createSetupIntent(draft: SetupIntentDraft): Promise<{ readonly id: string; readonly clientSecret: string }>;
  /** Returns the current state; `null` if the provider has no such intent. */
  readSetupIntent(id: string): Promise<ProviderSetupIntent | null>;
  /**
   * Stores a card for a customer, as the default if it is the only one. Returns it with its final id, which differs for
   * test names; the same idempotency key returns the same card.
   * @throws PaymentRefusedError if the card is declined or belongs to another customer
   */
  attachPaymentMethod(
    customerId: string,
    paymentMethodId: string,
    idempotencyKey?: string,
  ): Promise<ProviderPaymentMethod>;
  /** Returns the cards, newest first. */
  listPaymentMethods(customerId: string): Promise<ProviderPaymentMethod[]>;
  detachPaymentMethod(paymentMethodId: string): Promise<void>;
  /** Sets the card for renewals, which must belong to the customer. */
  setDefaultPaymentMethod(customerId: string, paymentMethodId: string): Promise<void>;
}

export interface CustomerDraft {
  readonly email: string;
  readonly name: string;
  readonly idempotencyKey: string;
}

export interface SetupIntentDraft {
  /** Customer to whom the card is attached after the setup; if absent, the card has to be attached explicitly. */
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

/** Provider that charges a plan's price each month to the customer's default card. */
export interface SubscriptionProvider {
  /**
   * Starts a subscription; the same idempotency key returns the same one. A trial charges nothing; without a trial,
   * the first month is charged immediately.
   * @throws PaymentRefusedError if the first month cannot be charged
   */
  createSubscription(draft: SubscriptionDraft): Promise<ProviderSubscription>;
  /** Returns the current state; `null` if the provider has no such subscription. */
  readSubscription(subscriptionId: string): Promise<ProviderSubscription | null>;
  /** Changes the plan, prorated for the current month; reverts a cancellation. */
  changeSubscriptionPlan(subscriptionId: string, plan: ProviderPlan): Promise<ProviderSubscription>;
  /** Ends the subscription with the paid period or the trial, or immediately if a renewal is unpaid. */
  cancelSubscription(subscriptionId: string): Promise<ProviderSubscription>;
  /**
   * Charges unpaid invoices to the default card now.
   * @throws PaymentRefusedError if the card is declined or missing
   */
  payUnpaid(subscriptionId: string): Promise<ProviderSubscription>;
}

/** A plan, with its price in whole cents per month. */
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
  /** Whether there is a card for renewals. */
  readonly hasPaymentMethod: boolean;
  readonly trialEndsAt: Date | null;
  readonly periodEndsAt: Date | null;
  /** Time when a canceled subscription ends or has ended. */
  readonly endsAt: Date | null;
  /** Time since when a renewal is unpaid; `null` if none is. */
  readonly unpaidSince: Date | null;
  readonly failure: string | null;
}
