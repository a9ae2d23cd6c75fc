import { signupRoutes } from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { syncRegistry } from '#console/provider-registry/sync-registry.ts';
import { createSystemDatabase, type SystemDatabase } from '#db/system.ts';
import { createMailbox } from '#mail/mailbox.ts';
import { applySubscription } from '#payments/apply-subscription.ts';
import type { PaymentProvider } from '#payments/payment-provider.ts';
import { createSimulatedProvider } from '#payments/simulated-provider.ts';
import { createLogger } from '#platform/logger.ts';
import { createPasswordHasher } from '#platform/password.ts';
import { addTenant, createTestConsole } from '#test/console/console.ts';
import { testKeyring } from '#test/console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createSignupHandlers, type SignupDeps } from './routes.ts';

const passwords = createPasswordHasher();
let database: TestDatabase;
let system: SystemDatabase;
let simulated: ReturnType<typeof createSimulatedProvider>;

beforeAll(async () => {
  database = await createTestDatabase();
  system = createSystemDatabase(database.pool);
  await syncRegistry(system);
  simulated = createSimulatedProvider(system);
  await read(
    `INSERT INTO plans (id, name, description, price_monthly, price_yearly, user_limit, admin_limit, position)
     VALUES ('free', 'Free', 'To try', 0, 0, 2, 1, 0)`,
  );
});
afterAll(() => database.close());

const read = async (statement: string, ...values: unknown[]) =>
  (await database.pool.query(statement, values)).rows;

/** Use a separate IP address for each test, so that tests do not use up each other's attempts. */
let scenesCount = 0;
function createScene(given: Partial<SignupDeps> = {}) {
  const address = `192.0.2.${++scenesCount}`;
  const handlers = createSignupHandlers({
    system,
    provider: simulated,
    passwords,
    clock: () => Date.now(),
    keyring: testKeyring,
    mailbox: createMailbox({ keyring: testKeyring, hasServer: false }),
    publicUrl: 'https://sluice.test',
    hasMailServer: false,
    hasSandbox: true,
    isSignupOpen: true,
    log: createLogger('silent'),
    ...given,
  });
  return createTestConsole(database.pool, signupRoutes, handlers)({ address });
}

let namesCount = 0;
const draft = (given: object = {}) => ({
  name: 'Grace Hopper',
  email: `grace-${++namesCount}@hopper.test`,
  password: 'cobol-1959',
  company_name: `Hopper ${namesCount}`,
  selected_plan_id: 'pro',
  billing_cycle: 'monthly' as const,
  payment_method_id: 'pm_card_visa',
  setup_intent_id: null,
  trial_days: 999,
  ...given,
});
const findTenantOf = async (email: string) =>
  (
    await read('SELECT tenants.* FROM tenants JOIN users ON tenant_id = tenants.id WHERE email = $1', email)
  )[0];

async function setUpCard(number: string) {
  const { id, clientSecret } = await simulated.createSetupIntent({ idempotencyKey: crypto.randomUUID() });
  await simulated.confirmSetup(clientSecret, number);
  return id;
}

describe('a signup', () => {
  it('signUp creates a tenant on a 14-day trial, ignoring trial_days, with an administrator who can sign in', async () => {
    const body = draft();
    expect(await createScene().signUp({ body })).toEqual({
      message: 'Account created successfully!',
      email: body.email,
    });
    const tenant = await findTenantOf(body.email);
    expect(tenant).toMatchObject({
      name: body.company_name,
      slug: `hopper-${namesCount}`,
      status: 'trial',
      plan_id: 'pro',
      user_limit: 20,
      admin_limit: 3,
    });
    const [person] = await read('SELECT * FROM users WHERE email = $1', body.email);
    expect(person).toMatchObject({ name: 'Grace Hopper', role_id: 2, daily_quota: null });
    expect(await passwords.verify(body.password, person.password_hash)).toBe(true);
    const [subscription] = await read(
      `SELECT *, round(extract(epoch FROM trial_ends_at - started_at) / 86400)::integer AS days
       FROM subscriptions WHERE tenant_id = $1`,
      tenant.id,
    );
    expect(subscription).toMatchObject({
      plan_id: 'pro',
      status: 'trialing',
      has_payment_method: true,
      days: 14,
    });
    expect(subscription.subscription_id).toEqual(expect.any(String));
    expect(
      await read('SELECT provider_instance_name FROM llm_providers WHERE tenant_id = $1', tenant.id),
    ).toEqual([{ provider_instance_name: 'sandbox' }]);
  });

  it('signUp names the tenant after the user if there is no company', async () => {
    const body = draft({ company_name: '' });
    await createScene().signUp({ body });
    expect(await findTenantOf(body.email)).toMatchObject({ name: 'Grace Hopper' });
  });

  it('signUp accepts a free plan with a card that is set up', async () => {
    const body = draft({
      selected_plan_id: 'free',
      payment_method_id: null,
      setup_intent_id: await setUpCard('4242424242424242'),
    });
    await createScene().signUp({ body });
    expect(await findTenantOf(body.email)).toMatchObject({ plan_id: 'free', status: 'trial' });
  });

  it.each([
    [{ payment_method_id: null }, 'payment_method_id'],
    [{ selected_plan_id: 'free' }, 'setup_intent_id'],
    [{ selected_plan_id: 'free', setup_intent_id: 'seti_nobody' }, 'setup_intent_id'],
    [{ selected_plan_id: 'gold' }, 'selected_plan_id'],
    [{ password: 'password' }, 'password'],
  ])('signUp with %j is rejected at %s and leaves nothing behind', async (given, field) => {
    const body = draft(given);
    await expect(createScene().signUp({ body })).rejects.toMatchObject({
      status: 422,
      detail: [{ loc: ['body', field] }],
    });
    expect(await findTenantOf(body.email)).toBeUndefined();
  });

  it('signUp rejects a free plan while 3-D Secure is pending', async () => {
    const setup_intent_id = await setUpCard('4000000000003220');
    const body = draft({ selected_plan_id: 'free', payment_method_id: null, setup_intent_id });
    await expect(createScene().signUp({ body })).rejects.toMatchObject({
      status: 422,
      detail: [{ loc: ['body', 'setup_intent_id'] }],
    });
  });

  it('signUp reports why a card was declined and leaves nothing behind', async () => {
    const body = draft({ payment_method_id: 'pm_card_visa_chargeDeclined' });
    await expect(createScene().signUp({ body })).rejects.toMatchObject({
      status: 402,
      detail: 'Your card was declined.',
    });
    expect(await findTenantOf(body.email)).toBeUndefined();
  });

  it.each([
    [{ name: '' }, 'Name is required'],
    [{ name: 'G' }, 'Name must be at least 2 characters'],
    [{ email: '' }, 'Email is required'],
    [{ email: 'grace' }, 'Please enter a valid email'],
    [{ password: '12345' }, 'Password must be at least 6 characters'],
    [{ selected_plan_id: '' }, 'Please select a plan'],
    [{ billing_cycle: 'yearly' }, 'Only monthly billing is supported currently'],
  ])('signUp with %j is rejected: %s', async (given, words) => {
    await expect(createScene().signUp({ body: draft(given) })).rejects.toThrow(words);
  });
});

describe('the same email', () => {
  it('signUp creates one tenant per email under concurrent calls', async () => {
    const body = draft();
    const scene = createScene();
    const answers = await Promise.allSettled(Array.from({ length: 6 }, () => scene.signUp({ body })));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const answer of answers)
      if (answer.status === 'rejected')
        expect(answer.reason).toMatchObject({ status: 422, detail: [{ loc: ['body', 'email'] }] });
    expect(await read('SELECT id FROM tenants WHERE name = $1', body.company_name)).toHaveLength(1);
  });

  it('signUp rejects an email in use in any tenant, ignoring case', async () => {
    const body = draft();
    await createScene().signUp({ body });
    const again = draft({ email: body.email.toUpperCase() });
    await expect(createScene().signUp({ body: again })).rejects.toMatchObject({
      status: 422,
      detail: [{ loc: ['body', 'email'], msg: expect.stringContaining('otherwise use another email') }],
    });
    expect(await read('SELECT id FROM tenants WHERE name = $1', again.company_name)).toEqual([]);
  });
});

describe('a node that dies during signup', () => {
  it('signUp can be repeated after it failed with the card already stored at the provider', async () => {
    const body = draft();
    const dying = { ...passwords, hash: () => Promise.reject(new Error('the node died')) };
    await expect(createScene({ passwords: dying }).signUp({ body })).rejects.toThrow('the node died');
    expect(await findTenantOf(body.email)).toBeUndefined();
    await createScene().signUp({ body });
    expect(await findTenantOf(body.email)).toMatchObject({ status: 'trial' });
    expect(await read('SELECT id FROM simulated_customers WHERE email = $1', body.email)).toHaveLength(1);
  });

  it('applySubscription starts the subscription once if signUp could not create it at the provider', async () => {
    const body = draft();
    const away: PaymentProvider = {
      ...simulated,
      createSubscription: () => Promise.reject(new Error('the provider is away')),
    };
    await createScene({ provider: away }).signUp({ body });
    const { id } = await findTenantOf(body.email);
    expect(await read('SELECT subscription_id FROM subscriptions WHERE tenant_id = $1', id)).toEqual([
      { subscription_id: null },
    ]);
    await Promise.all([applySubscription(system, simulated, id), applySubscription(system, simulated, id)]);
    expect(
      await read(
        'SELECT s.id FROM simulated_subscriptions s JOIN payment_customers USING (customer_id) WHERE tenant_id = $1',
        id,
      ),
    ).toHaveLength(1);
  });
});

describe('closed signup', () => {
  it('signUp is rejected while signup is closed and names whom to contact', async () => {
    const scene = createScene({ isSignupOpen: false });
    expect(await scene.getSignupSetup()).toEqual({ is_open: false, trial_days: 14 });
    await expect(scene.signUp({ body: draft() })).rejects.toMatchObject({
      status: 403,
      detail: expect.stringContaining(
        'Ask an administrator of your organization or the operator of this gateway',
      ),
    });
  });

  it('signUp returns 503 if payments are not set up', async () => {
    await expect(createScene({ provider: null }).signUp({ body: draft() })).rejects.toMatchObject({
      status: 503,
      detail:
        'Payments are not set up on this installation. Ask the operator to configure a payment provider.',
    });
  });
});

it('signUp rejects one of 101 attempts from an IP with 429', async () => {
  const scene = createScene();
  const attempts = Array.from({ length: 101 }, () =>
    scene.signUp({ body: draft({ selected_plan_id: 'gold' }) }).catch(({ status }) => status),
  );
  const statuses = await Promise.all(attempts);
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
});

describe('a subscription of a suspended tenant', () => {
  const suspend = (id: number, by: number | null) =>
    read("UPDATE tenants SET status = 'suspended', suspended_by = $2 WHERE id = $1", id, by);

  it('applySubscription does not end a suspension by a super administrator', async () => {
    const body = draft();
    await createScene().signUp({ body });
    const { id } = await findTenantOf(body.email);
    await suspend(id, 1);
    await applySubscription(system, simulated, id);
    expect(await findTenantOf(body.email)).toMatchObject({ status: 'suspended', suspended_by: 1 });
    await suspend(id, null);
    await applySubscription(system, simulated, id);
    expect(await findTenantOf(body.email)).toMatchObject({ status: 'trial', suspended_at: null });
  });

  it('applySubscription suspends the tenant when a canceled subscription has ended', async () => {
    const body = draft();
    await createScene().signUp({ body });
    const { id } = await findTenantOf(body.email);
    await read(
      `UPDATE simulated_subscriptions SET status = 'canceled', ended_at = now()
       WHERE customer_id = (SELECT customer_id FROM payment_customers WHERE tenant_id = $1)`,
      id,
    );
    await applySubscription(system, simulated, id);
    expect(await findTenantOf(body.email)).toMatchObject({
      status: 'suspended',
      suspension_reason: 'Its subscription has ended',
    });
  });
});

it('signUp creates a separate tenant if one with the same name exists', async () => {
  const before = await addTenant(database.pool, 'Before');
  await createScene().signUp({ body: draft({ company_name: 'Before' }) });
  expect(await read("SELECT id, slug FROM tenants WHERE name = 'Before' ORDER BY id")).toEqual([
    { id: before, slug: 'before' },
    { id: expect.any(Number), slug: 'before-2' },
  ]);
});
