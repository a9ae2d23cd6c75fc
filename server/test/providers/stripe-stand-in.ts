import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { StripeBilling } from './stripe-billing.ts';
import { createBillingAnswer } from './stripe-billing-routes.ts';
import { list, newId, type Reply } from './stripe-resources.ts';

/** Stripe's payment intent parameters that Sluice uses. Others are rejected, because Stripe rejects unknown ones. */
const intentParameters = /^(amount|currency|description|allowed_payment_method_types\[\d+\])$/;

interface Intent {
  readonly id: string;
  readonly amount: number;
  status: string;
  failure: string | null;
  refunds: Returned[];
  disputes: Returned[];
}

export interface Returned {
  readonly id: string;
  readonly object: 'refund' | 'dispute';
  readonly amount: number;
  readonly currency: string;
  status: string;
}

/** Payment provider with the part of Stripe's HTTP API that payments and subscriptions require. */
export interface StripeStandIn {
  readonly origin: string;
  readonly env: Record<string, string>;
  readonly intents: ReadonlyMap<string, Intent>;
  readonly billing: StripeBilling;
  succeed(intentId: string): void;
  decline(intentId: string, failure: string): void;
  refund(intentId: string, amount: number, status?: string): Returned;
  dispute(intentId: string, amount?: number, status?: string): Returned;
  winDispute(intentId: string): void;
  /** Responds to all later calls with this status; 0 restores normal responses. */
  failWith(status: number): void;
  event(type: string, object: object, options?: EventOptions): { body: string; signature: string };
  /** Returns a valid signature for any body, including bodies that Stripe would not send. */
  sign(body: string): string;
  close(): Promise<void>;
}

interface EventOptions {
  id?: string;
  secret?: string;
  timestamp?: number;
  account?: string;
}

export const webhookSecret = 'whsec_of_the_tests';

export async function startStripeStandIn(): Promise<StripeStandIn> {
  const intents = new Map<string, Intent>();
  const idsByKey = new Map<string, string>();
  const billing = new StripeBilling();
  const answerBilling = createBillingAnswer(billing);
  let failure = 0;
  const server = createServer(async (request, response) => {
    const body = (await Array.fromAsync(request)).join('');
    const { status, body: resource } =
      failure > 0
        ? reply(failure, { error: { type: 'api_error', message: 'out of order' } })
        : route(request, new URLSearchParams(body), { intents, idsByKey, answerBilling });
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(resource));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // safe because the server listens on a port
  const change = (id: string, change: (intent: Intent) => void) => {
    const intent = intents.get(id);
    if (!intent) throw new Error(`there is no intent ${id}`);
    change(intent);
  };
  return {
    origin,
    env: {
      STRIPE_SECRET_KEY: 'sk_test_of_the_tests',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_of_the_tests',
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_BASE: origin,
    },
    intents,
    billing,
    succeed: (id) => change(id, (intent) => Object.assign(intent, { status: 'succeeded', failure: null })),
    decline: (id, failure) => change(id, (intent) => Object.assign(intent, { failure })),
    ...createReturns(intents, change),
    failWith: (status) => {
      failure = status;
    },
    event: signedEvent,
    sign: (body) => sign(body, webhookSecret, Math.floor(Date.now() / 1000)),
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
}

function createReturns(
  intents: ReadonlyMap<string, Intent>,
  change: (id: string, change: (intent: Intent) => void) => void,
): Pick<StripeStandIn, 'refund' | 'dispute' | 'winDispute'> {
  return {
    refund(intentId, amount, status = 'succeeded') {
      const refund: Returned = { id: newId('re'), object: 'refund', amount, currency: 'usd', status };
      change(intentId, ({ refunds }) => refunds.push(refund));
      return refund;
    },
    dispute(intentId, amount, status = 'needs_response') {
      const disputed = amount ?? intents.get(intentId)?.amount ?? 0;
      const dispute: Returned = {
        id: newId('dp'),
        object: 'dispute',
        amount: disputed,
        currency: 'usd',
        status,
      };
      change(intentId, ({ disputes }) => disputes.push(dispute));
      return dispute;
    },
    winDispute: (id) =>
      change(id, ({ disputes }) => {
        for (const dispute of disputes) dispute.status = 'won';
      }),
  };
}

interface StandInState {
  readonly intents: Map<string, Intent>;
  readonly idsByKey: Map<string, string>;
  readonly answerBilling: ReturnType<typeof createBillingAnswer>;
}

function route(
  request: IncomingMessage,
  form: URLSearchParams,
  { intents, idsByKey, answerBilling }: StandInState,
): Reply {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stripe');
  if (request.headers.authorization !== 'Bearer sk_test_of_the_tests')
    return reply(401, { error: { type: 'invalid_request_error', message: 'Invalid API Key' } });
  if (request.method === 'POST' && pathname === '/v1/payment_intents')
    return createIntent(request, form, intents, idsByKey);
  const { method = '', headers } = request;
  const key = headers['idempotency-key'];
  const parameters = method === 'POST' ? form : searchParams;
  const billed = answerBilling(method, pathname, parameters, typeof key === 'string' ? key : undefined);
  if (billed) return billed;
  const id =
    pathname.match(/^\/v1\/payment_intents\/(\w+)$/)?.[1] ?? searchParams.get('payment_intent') ?? '';
  const intent = intents.get(id);
  if (!intent)
    return reply(404, {
      error: { type: 'invalid_request_error', code: 'resource_missing', message: `No such intent: ${id}` },
    });
  if (pathname === '/v1/refunds') return reply(200, list(intent.refunds));
  if (pathname === '/v1/disputes') return reply(200, list(intent.disputes));
  return reply(200, toResource(intent));
}

function createIntent(
  { headers }: IncomingMessage,
  form: URLSearchParams,
  intents: Map<string, Intent>,
  idsByKey: Map<string, string>,
): Reply {
  const unknown = [...form.keys()].find((name) => !intentParameters.test(name));
  const amount = Number(form.get('amount'));
  const problem =
    (unknown && `Received unknown parameter: ${unknown}`) ||
    (form.get('currency') !== 'usd' && 'Invalid currency') ||
    (!(Number.isInteger(amount) && amount >= 50) && 'Amount must be at least $0.50 usd');
  if (problem) return reply(400, { error: { type: 'invalid_request_error', message: problem } });
  const key = String(headers['idempotency-key'] ?? newId('key'));
  const id = idsByKey.get(key) ?? newId('pi');
  idsByKey.set(key, id);
  const intent = intents.get(id) ?? {
    id,
    amount,
    status: 'requires_payment_method',
    failure: null,
    refunds: [],
    disputes: [],
  };
  intents.set(id, intent);
  return reply(200, toResource(intent));
}

function toResource({ id, amount, status, failure }: Intent) {
  return {
    id,
    object: 'payment_intent',
    amount,
    amount_received: status === 'succeeded' ? amount : 0,
    client_secret: `${id}_secret_test`,
    status,
    last_payment_error: failure === null ? null : { message: failure },
  };
}

function reply(status: number, body: object): Reply {
  return { status, body };
}

function signedEvent(
  type: string,
  object: object,
  {
    id = newId('evt'),
    secret = webhookSecret,
    timestamp = Math.floor(Date.now() / 1000),
    account,
  }: EventOptions = {},
): { body: string; signature: string } {
  const body = JSON.stringify({ id, object: 'event', type, account, data: { object } });
  const signature = new Stripe('sk_test').webhooks.generateTestHeaderString({
    payload: body,
    secret,
    timestamp,
  });
  return { body, signature };
}

export function forgedSignature(body: string): string {
  return `t=${Math.floor(Date.now() / 1000)},v1=${createHash('sha256').update(body).digest('hex')}`;
}

function sign(payload: string, secret: string, timestamp: number): string {
  return new Stripe('sk_test').webhooks.generateTestHeaderString({ payload, secret, timestamp });
}
