import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { receiveEvent } from '#console/webhooks/receive.ts';
import { createSystemDatabase, type SystemDatabase } from '#db/system.ts';
import { readAccounts } from '#ledger/read.ts';
import { addTenant } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { isFullSize, sample } from '#test/load/sample.ts';
import {
  type Returned,
  type StripeStandIn,
  startStripeStandIn,
  webhookSecret,
} from '#test/providers/stripe-stand-in.ts';
import { applyIntent } from './apply-intent.ts';
import type { PaymentProvider } from './payment-provider.ts';
import { createStripeProvider } from './stripe-provider.ts';

let database: TestDatabase;
let system: SystemDatabase;
let stripe: StripeStandIn;
let provider: PaymentProvider;
let tenantId: number;
let intentId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  system = createSystemDatabase(database.pool);
  stripe = await startStripeStandIn();
  provider = createStripeProvider({
    secretKey: 'sk_test_of_the_tests',
    publishableKey: 'pk_1',
    webhookSecret,
    apiBase: stripe.origin,
  });
  tenantId = await addTenant(database.pool, 'Acme');
});
afterAll(async () => {
  await stripe.close();
  await database.close();
});
beforeEach(beginPayment);

let payments = 0;

async function beginPayment(): Promise<void> {
  const idempotencyKey = `payment-${payments++}`;
  const intent = await provider.createIntent({
    amountCents: 10_000,
    description: 'Recharge',
    idempotencyKey,
  });
  intentId = intent.id;
  await database.pool.query(
    `INSERT INTO payments (tenant_id, provider, intent_id, amount_nano_usd, description)
     VALUES ($1, 'stripe', $2, 100000000000, 'Recharge')`,
    [tenantId, intentId],
  );
  stripe.succeed(intentId);
}

async function bookedCents(): Promise<number> {
  const { rows } = await database.pool.query<{ cents: string }>(
    'SELECT coalesce(sum(amount), 0) / 10000000 AS cents FROM ledger_entries WHERE payment_reference = $1',
    [intentId],
  );
  return Number(rows[0]?.cents);
}

/** Event from Stripe, sent after the change that it reports. */
interface Change {
  readonly event: string;
  make(): Returned;
}

function changesOf(object: 'refund' | 'dispute', cents: number, states: readonly string[]): Change[] {
  let returned: Returned | undefined;
  return states.map((status) => ({
    event: eventOf(object, status, states.indexOf(status)),
    make() {
      returned ??= object === 'refund' ? stripe.refund(intentId, cents) : stripe.dispute(intentId, cents);
      returned.status = status;
      return returned;
    },
  }));
}

function eventOf(object: 'refund' | 'dispute', status: string, step: number): string {
  if (object === 'refund')
    return status === 'failed'
      ? 'refund.failed'
      : (['refund.created', 'charge.refund.updated'][step] ?? 'refund.updated');
  const isClosed = ['won', 'lost', 'warning_closed', 'prevented'].includes(status);
  return isClosed
    ? 'charge.dispute.closed'
    : step === 0
      ? 'charge.dispute.created'
      : 'charge.dispute.updated';
}

const deliver = ({ event }: Change, carried: Returned, id?: string) => {
  const { body, signature } = stripe.event(event, { ...carried, payment_intent: intentId }, id ? { id } : {});
  return receiveEvent(system, provider, { bytes: Buffer.from(body), signature });
};

const keepsMoney = [
  'failed',
  'canceled',
  'won',
  'prevented',
  'warning_closed',
  'warning_needs_response',
  'warning_under_review',
];

function expectedCents(): number {
  const intent = stripe.intents.get(intentId);
  const taken = [...(intent?.refunds ?? []), ...(intent?.disputes ?? [])]
    .filter(({ status }) => !keepsMoney.includes(status))
    .reduce((sum, { amount }) => sum + amount, 0);
  return 10_000 - taken;
}

const histories: readonly [name: string, () => Change[]][] = [
  ['a refund fails', () => changesOf('refund', 10_000, ['pending', 'succeeded', 'failed'])],
  ['a refund is canceled', () => changesOf('refund', 10_000, ['requires_action', 'canceled'])],
  [
    'a failed refund is followed by another',
    () => [
      ...changesOf('refund', 10_000, ['pending', 'failed']),
      ...changesOf('refund', 10_000, ['succeeded']),
    ],
  ],
  [
    'a partial refund fails and another follows',
    () => [
      ...changesOf('refund', 2_500, ['pending', 'failed']),
      ...changesOf('refund', 1_000, ['succeeded']),
    ],
  ],
  ['a dispute is prevented', () => changesOf('dispute', 10_000, ['needs_response', 'prevented'])],
  [
    'a dispute remains an inquiry',
    () => changesOf('dispute', 10_000, ['warning_needs_response', 'warning_under_review', 'warning_closed']),
  ],
  [
    'an inquiry becomes a dispute',
    () => changesOf('dispute', 10_000, ['warning_needs_response', 'needs_response', 'lost']),
  ],
  ['a dispute is won', () => changesOf('dispute', 10_000, ['needs_response', 'under_review', 'won'])],
  ['a dispute is won and then lost', () => changesOf('dispute', 10_000, ['needs_response', 'won', 'lost'])],
  [
    'a dispute is lost and then won',
    () => changesOf('dispute', 10_000, ['lost', 'appeal_under_review', 'won']),
  ],
  [
    'a refunded charge is disputed',
    () => [
      ...changesOf('refund', 4_000, ['succeeded']),
      ...changesOf('dispute', 6_000, ['needs_response', 'won']),
    ],
  ],
];

/** Yields every sequence of changes and event deliveries in which each event follows its change. */
function* interleave(count: number, made = 0, open: readonly number[] = []): Generator<string[]> {
  if (made === count && open.length === 0) yield [];
  if (made < count)
    for (const rest of interleave(count, made + 1, [...open, made])) yield [`make ${made}`, ...rest];
  for (const event of open) {
    const others = open.filter((other) => other !== event);
    for (const rest of interleave(count, made, others)) yield [`deliver ${event}`, ...rest];
  }
}

/** Maximum number of sequences per history in a sampled run: all sequences of three changes. */
const ordersMax = 15;

async function play(changes: readonly Change[], steps: readonly string[]): Promise<void> {
  const carried: Returned[] = [];
  for (const step of steps) {
    const at = Number(step.split(' ')[1]);
    const change = changes[at];
    if (!change) throw new Error(`there is no change ${at}`);
    if (step.startsWith('make')) carried[at] = { ...change.make() };
    else await deliver(change, carried[at] ?? change.make());
  }
}

describe.each(histories)('applyIntent when %s', (_name, listChanges) => {
  it('applyIntent books the credits that the provider reports in every order of events', async () => {
    const orders = [...interleave(listChanges().length)];
    for (const steps of sample(orders, Math.ceil(orders.length / ordersMax))) {
      await beginPayment();
      await play(listChanges(), steps);
      expect(await bookedCents(), steps.join(', ')).toBe(expectedCents());
    }
  });
});

describe('applyIntent', () => {
  it('applyIntent books what the provider reports if events are repeated or missing', async () => {
    const history = fc.array(fc.constantFrom(...histories.map(([, list]) => list)), {
      minLength: 1,
      maxLength: 3,
    });
    const copies = fc.infiniteStream(fc.integer({ min: 0, max: 2 }));
    await fc.assert(
      fc.asyncProperty(history, copies, async (lists, counts) => {
        await beginPayment();
        const queue: (() => Promise<unknown>)[] = [];
        for (const change of lists.flatMap((list) => list())) {
          const carried = { ...change.make() };
          for (let copy = counts.next().value ?? 0; copy > 0; copy--)
            queue.push(() => deliver(change, carried));
          await queue.shift()?.();
        }
        await Promise.all(queue.map((deliverOne) => deliverOne()));
        await applyIntent(system, provider, intentId);
        expect(await bookedCents()).toBe(expectedCents());
      }),
      { numRuns: isFullSize ? 40 : 12, endOnFailure: true },
    );
  });

  it('applyIntent ignores a reading that started before a newer one was booked', async () => {
    const refund = stripe.refund(intentId, 10_000, 'pending');
    const { promise: mayReturn, resolve: release } = Promise.withResolvers<void>();
    const { promise: hasRead, resolve: read } = Promise.withResolvers<void>();
    const slow: PaymentProvider = {
      ...provider,
      async readIntent(id) {
        const intent = await provider.readIntent(id);
        read();
        await mayReturn;
        return intent;
      },
    };
    const late = applyIntent(system, slow, intentId);
    await hasRead;
    refund.status = 'failed';
    await applyIntent(system, provider, intentId);
    release();
    await late;
    expect(await bookedCents()).toBe(10_000);
  });

  it('applyIntent books each effect once if 20 events arrive at the same time', async () => {
    const [change] = changesOf('refund', 2_500, ['succeeded']);
    if (!change) throw new Error('there is no change');
    const carried = change.make();
    await Promise.all(Array.from({ length: 20 }, () => deliver(change, carried)));
    expect(await bookedCents()).toBe(7_500);
  });

  it('applyIntent books US dollars and reports a refund in another currency', async () => {
    stripe.refund(intentId, 1_000);
    stripe.intents
      .get(intentId)
      ?.refunds.push({ id: 're_euro', object: 'refund', amount: 900, currency: 'eur', status: 'succeeded' });
    await expect(applyIntent(system, provider, intentId)).rejects.toThrow(
      'the payment provider reports refund re_euro in EUR; only US dollars can be booked',
    );
    expect(await bookedCents()).toBe(9_000);
  });

  it('applyIntent keeps the ledger and the balance consistent', async () => {
    const [account] = await readAccounts(system, tenantId);
    const { rows } = await database.pool.query(
      'SELECT sum(amount) AS booked FROM ledger_entries WHERE tenant_id = $1',
      [tenantId],
    );
    expect(account?.balance).toBe(BigInt(rows[0].booked));
  });
});
