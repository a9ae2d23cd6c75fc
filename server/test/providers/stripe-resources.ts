import { randomBytes } from 'node:crypto';

export interface Reply {
  readonly status: number;
  readonly body: object;
}

export interface Customer {
  readonly id: string;
  readonly email: string;
  defaultPaymentMethod: string | null;
}

export interface Card {
  readonly id: string;
  readonly name: string;
  customer: string | null;
}

export interface SetupIntent {
  readonly id: string;
  readonly customer: string | null;
  status: string;
  paymentMethod: string | null;
  failure: string | null;
}

export interface Price {
  readonly id: string;
  readonly lookupKey: string;
  readonly unitAmount: number;
}

export interface Invoice {
  readonly id: string;
  readonly created: number;
  status: 'open' | 'paid';
  failure: string | null;
}

export interface Subscription {
  readonly id: string;
  readonly customer: string;
  price: string;
  status: string;
  readonly trialEnd: number | null;
  periodEnd: number;
  cancelAt: number | null;
  endedAt: number | null;
  readonly invoices: Invoice[];
}

export const monthSeconds = 30 * 86_400;
export const nowSeconds = () => Math.floor(Date.now() / 1_000);

export const declines: Readonly<Record<string, string>> = {
  pm_card_visa_chargeDeclined: 'Your card was declined.',
  pm_card_visa_chargeDeclinedInsufficientFunds: 'Your card has insufficient funds.',
  pm_card_chargeCustomerFail: 'Your card was declined.',
};

export class StripeError extends Error {
  readonly reply: Reply;

  constructor(status: number, error: Record<string, string>) {
    super(error.message);
    this.reply = { status, body: { error } };
  }
}

export const invalid = (message: string, code = 'parameter_invalid') =>
  new StripeError(400, { type: 'invalid_request_error', code, message });
export const cardError = (message: string) =>
  new StripeError(402, { type: 'card_error', code: 'card_declined', message });

export function find<Resource>(resources: ReadonlyMap<string, Resource>, id: string): Resource {
  const resource = resources.get(id);
  if (!resource)
    throw new StripeError(404, {
      type: 'invalid_request_error',
      code: 'resource_missing',
      message: `No such object: '${id}'`,
    });
  return resource;
}

export function toCard({ id, name, customer }: Card): object {
  const last4 = name === 'pm_card_mastercard' ? '4444' : '4242';
  const brand = name === 'pm_card_mastercard' ? 'mastercard' : 'visa';
  return {
    id,
    object: 'payment_method',
    type: 'card',
    customer,
    card: { brand, last4, exp_month: 8, exp_year: 2031 },
  };
}

export function toPrice({ id, lookupKey, unitAmount }: Price): object {
  return { id, object: 'price', lookup_key: lookupKey, unit_amount: unitAmount };
}

export function list(data: object[]) {
  return { object: 'list', data, has_more: false };
}

export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(8).toString('hex')}`;
}
