/** Stores the cards of payers; only their last four digits are known here. */
export interface CardProvider {
  /** Creates a customer; the same idempotency key returns the same customer. */
  createCustomer(draft: CustomerDraft): Promise<string>;
  /** Starts to set up a card for later payments; the payer confirms it in the browser with the secret. */
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
  /** Sets the card that renewals are charged to, which must be one of the customer's. */
  setDefaultPaymentMethod(customerId: string, paymentMethodId: string): Promise<void>;
}

export interface CustomerDraft {
  readonly email: string;
  readonly name: string;
  readonly idempotencyKey: string;
}

export interface SetupIntentDraft {
  /** Customer that gets the card once it is set up; without one it has to be attached. */
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
