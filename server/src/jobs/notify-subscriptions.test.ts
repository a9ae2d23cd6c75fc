import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { listBanners } from '#banners/banners.ts';
import { createSystemDatabase, type SystemDatabase } from '#db/system.ts';
import { createMailbox } from '#mail/mailbox.ts';
import { applySubscription } from '#payments/apply-subscription.ts';
import { createSimulatedProvider } from '#payments/simulated-provider.ts';
import { startSubscription, trialDays } from '#payments/start-subscription.ts';
import { createLogger } from '#platform/logger.ts';
import { addPerson, addTenant } from '#test/console/console.ts';
import { testKeyring } from '#test/console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { emptyTables } from '#test/database/empty-tables.ts';
import { createNotifySubscriptions } from './notify-subscriptions.ts';
import { runAlone } from './run-alone.ts';

let database: TestDatabase;
let system: SystemDatabase;
let tenantId: number;
let customerId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  system = createSystemDatabase(database.pool);
});
afterAll(() => database.close());

beforeEach(async () => {
  await emptyTables(database, 'tenants');
  tenantId = await addTenant(database.pool, 'Acme');
  await addPerson(database.pool, tenantId, 'admin', 'ada@acme.test');
  await addPerson(database.pool, tenantId, 'admin', 'bob@acme.test');
  await addPerson(database.pool, tenantId, 'user', 'mara@acme.test');
  customerId = await provider().createCustomer({
    email: 'ada@acme.test',
    name: 'Acme',
    idempotencyKey: `customer-${tenantId}`,
  });
  await startSubscription(system, {
    tenantId,
    planId: 'basic',
    provider: 'simulated',
    customerId,
    trialDays,
  });
  await applySubscription(system, provider(), tenantId);
});

const provider = () => createSimulatedProvider(system);
const runJob = () =>
  runAlone(
    system,
    createNotifySubscriptions({
      mailbox: createMailbox({ keyring: testKeyring, hasServer: true }),
      publicUrl: 'https://sluice.test',
    }),
    createLogger('silent'),
  );
const banners = async () => (await listBanners(system, 'admin', tenantId)).map(({ message }) => message);
const mails = async () => {
  const { rows } = await database.pool.query(
    'SELECT to_address AS recipient, subject FROM mails ORDER BY id',
  );
  return rows;
};

/** Sets the end of the trial to `days` from now. Negative values are in the past. */
async function moveTrialEnd(days: number): Promise<void> {
  await database.pool.query(
    `UPDATE simulated_subscriptions SET trial_ends_at = now() + $1 * interval '1 day', period_ends_at = now() + $1 * interval '1 day'`,
    [days],
  );
  await applySubscription(system, provider(), tenantId);
}

it('notifySubscriptions notifies administrators once, three days before a trial without a card ends', async () => {
  await moveTrialEnd(3.1);
  await runJob();
  expect(await mails()).toEqual([]);
  expect(await banners()).toEqual([]);
  await moveTrialEnd(2.9);
  await runJob();
  await runJob();
  const subject = 'Your trial of Sluice ends soon';
  expect(await mails()).toEqual([
    { recipient: 'ada@acme.test', subject },
    { recipient: 'bob@acme.test', subject },
  ]);
  expect(await banners()).toEqual([expect.stringMatching(/^Your trial ends on .* Add a card/)]);
  expect(await listBanners(system, 'user', tenantId)).toEqual([]);
  await provider().attachPaymentMethod(customerId, 'pm_card_visa');
  await applySubscription(system, provider(), tenantId);
  expect(await banners()).toEqual([]);
});

it('notifySubscriptions skips tenants with a card', async () => {
  await provider().attachPaymentMethod(customerId, 'pm_card_visa');
  await moveTrialEnd(1);
  await runJob();
  expect(await mails()).toEqual([]);
});

it('notifySubscriptions notifies administrators once of a failed renewal, and the banner changes once requests are refused', async () => {
  await provider().attachPaymentMethod(customerId, 'pm_card_chargeCustomerFail');
  await moveTrialEnd(-1);
  await runJob();
  await runJob();
  expect((await mails()).map(({ recipient }) => recipient)).toEqual(['ada@acme.test', 'bob@acme.test']);
  expect(await banners()).toEqual([
    expect.stringMatching(/^The payment for your plan failed \(Your card was declined\.\)\. .* refused\.$/),
  ]);
  await database.pool.query(
    `UPDATE simulated_subscriptions SET unpaid_since = unpaid_since - interval '7 days'`,
  );
  await applySubscription(system, provider(), tenantId);
  expect(await banners()).toEqual([expect.stringContaining('is unpaid, so new requests are refused')]);
});
