import type { SubscriptionStatus } from '@sluice/contract';

/** Takes a plan's price each month from the customer's default card. */
export interface SubscriptionProvider {
  /**
   * Begins a subscription; the same idempotency key answers the same one. Until the trial ends nothing is taken, without
   * a trial the first month is taken at once.
   * @throws PaymentRefusedError when the first month cannot be taken
   */
  createSubscription(draft: SubscriptionDraft): Promise<ProviderSubscription>;
  /** How it stands now; `null` when the provider has no such subscription. */
  readSubscription(subscriptionId: string): Promise<ProviderSubscription | null>;
  /** From now on the plan's price counts, in proportion for the current month; a cancellation is taken back. */
  changeSubscriptionPlan(subscriptionId: string, plan: ProviderPlan): Promise<ProviderSubscription>;
  /** Ends at the end of what is paid or of the trial; at once where a renewal is not paid. */
  cancelSubscription(subscriptionId: string): Promise<ProviderSubscription>;
  /**
   * Takes what is not paid from the default card now.
   * @throws PaymentRefusedError when the card is declined, or there is none
   */
  payUnpaid(subscriptionId: string): Promise<ProviderSubscription>;
}

/** The price is whole cents a month. */
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
  /** Whether there is a card that renewals are taken from. */
  readonly hasPaymentMethod: boolean;
  readonly trialEndsAt: Date | null;
  readonly periodEndsAt: Date | null;
  /** When it ends or has ended, if it was cancelled. */
  readonly endsAt: Date | null;
  /** Since when a renewal is not paid, and why the last attempt to take it failed. */
  readonly unpaidSince: Date | null;
  readonly failure: string | null;
}
