/** Keeps the cards of payers; here they are known by their last four digits alone. */
export interface CardProvider {
  /** Who pays; the same idempotency key answers the same customer. */
  createCustomer(draft: CustomerDraft): Promise<string>;
  /** Begins to set up a card for later payments; the payer confirms it in the browser, by the secret. */
  createSetupIntent(draft: SetupIntentDraft): Promise<{ readonly id: string; readonly clientSecret: string }>;
  /** How it stands now; `null` when the provider has no such intent. */
  readSetupIntent(id: string): Promise<ProviderSetupIntent | null>;
  /**
   * Keeps a card for a customer; it becomes the default when it is the only one. Answers it with the id that counts from
   * now on, which is another one where a test name was attached; the same idempotency key answers the same one.
   * @throws PaymentRefusedError when the card is declined, or somebody else's
   */
  attachPaymentMethod(
    customerId: string,
    paymentMethodId: string,
    idempotencyKey?: string,
  ): Promise<ProviderPaymentMethod>;
  /** The newest first. */
  listPaymentMethods(customerId: string): Promise<ProviderPaymentMethod[]>;
  detachPaymentMethod(paymentMethodId: string): Promise<void>;
  /** What renewals are taken from; the card is one of the customer's. */
  setDefaultPaymentMethod(customerId: string, paymentMethodId: string): Promise<void>;
}

export interface CustomerDraft {
  readonly email: string;
  readonly name: string;
  readonly idempotencyKey: string;
}

export interface SetupIntentDraft {
  /** Whose card it becomes once it is set up; without one it has to be attached. */
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
