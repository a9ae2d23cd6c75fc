import type { SimulatedPayment } from '@sluice/contract';

type Outcome = Pick<SimulatedPayment, 'status' | 'error'>;

export interface TestCard {
  readonly number: string;
  readonly brand: string;
  readonly last4: string;
  readonly onUse: Outcome;
  /** Why later charges fail after a successful setup; `null` if they succeed. */
  readonly failsLater: string | null;
}

const good: Outcome = { status: 'succeeded', error: null };
const asksHolder: Outcome = { status: 'requires_action', error: null };

export function declined(error: string): Outcome {
  return { status: 'requires_payment_method', error };
}

/** Test cards by payment method name. Card numbers are also accepted. */
const cardsByName = new Map(
  Object.entries({
    pm_card_visa: card('4242424242424242', good),
    pm_card_mastercard: card('5555555555554444', good),
    pm_card_visa_chargeDeclined: card('4000000000000002', declined('Your card was declined.')),
    pm_card_visa_chargeDeclinedInsufficientFunds: card(
      '4000000000009995',
      declined('Your card has insufficient funds.'),
    ),
    pm_card_chargeDeclinedExpiredCard: card('4000000000000069', declined('Your card has expired.')),
    pm_card_threeDSecure2Required: card('4000000000003220', asksHolder),
    pm_card_authenticationRequired: card('4000002500003155', asksHolder),
    pm_card_chargeCustomerFail: card('4000000000000341', good, 'Your card was declined.'),
  }),
);
const cardsByNumber = new Map([...cardsByName.values()].map((each) => [each.number, each]));

/** Accepts a payment method name, or a number with or without spaces. */
export function findTestCard(nameOrNumber: string): TestCard | null {
  return cardsByName.get(nameOrNumber) ?? cardsByNumber.get(nameOrNumber.replaceAll(' ', '')) ?? null;
}

export const unknownCard = declined(
  'This is not a test card. Simulated payments accept 4242 4242 4242 4242 and the other test numbers that Stripe documents.',
);

function card(number: string, onUse: Outcome, failsLater: string | null = null): TestCard {
  return {
    number,
    brand: number.startsWith('5') ? 'mastercard' : 'visa',
    last4: number.slice(-4),
    onUse,
    failsLater,
  };
}
