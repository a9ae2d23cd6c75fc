import { authRoutes, type createClient, invitationsRoutes, signupRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createAuthHandlers } from '#console/auth/routes.ts';
import { createInvitationsHandlers } from '#console/invitations/routes.ts';
import { syncRegistry } from '#console/provider-registry/sync-registry.ts';
import { createSystemDatabase } from '#db/system.ts';
import { createDeleteOldRows } from '#jobs/delete-old-rows.ts';
import { runAlone } from '#jobs/run-alone.ts';
import { createMailbox } from '#mail/mailbox.ts';
import { createSimulatedProvider } from '#payments/simulated-provider.ts';
import { createKeyring } from '#platform/keyring.ts';
import { createLogger } from '#platform/logger.ts';
import { createPasswordHasher } from '#platform/password.ts';
import { mailLinkPlace, openSecret } from '#platform/seal-secret.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { emptyTables } from '#test/database/empty-tables.ts';
import { createSignupHandlers } from './routes.ts';

const keyring = createKeyring('test');
const passwords = createPasswordHasher();
const log = createLogger('silent');
const email = 'ceo@acme.test';
const password = 'cobol-1959';
const worthless = { status: 404 };

let database: TestDatabase;
let nowMs = Date.now();
let signup: ReturnType<typeof createClient<typeof signupRoutes>>;
let auth: ReturnType<typeof createClient<typeof authRoutes>>;
let invitations: (caller?: object) => ReturnType<typeof createClient<typeof invitationsRoutes>>;

beforeAll(async () => {
  database = await createTestDatabase();
  const { pool } = database;
  const system = createSystemDatabase(pool);
  await syncRegistry(system);
  const mailbox = createMailbox({ keyring, hasServer: true });
  const clock = () => nowMs;
  const accounts = { database: system, keyring, passwords, clock, mailbox, publicUrl: 'https://sluice.test' };
  const provider = createSimulatedProvider(system);
  const handlers = createSignupHandlers({
    ...accounts,
    system,
    provider,
    log,
    hasMailServer: true,
    hasSandbox: true,
    isSignupOpen: true,
  });
  signup = createTestConsole(pool, signupRoutes, handlers)();
  auth = createTestConsole(pool, authRoutes, createAuthHandlers(accounts))();
  invitations = createTestConsole(pool, invitationsRoutes, createInvitationsHandlers(accounts));
});
afterAll(() => database.close());
beforeEach(async () => {
  nowMs = Date.now();
  await emptyTables(database, 'tenants', 'signups', 'mails', 'outbound_counts', 'login_attempts');
});

const run = async (statement: string, ...values: unknown[]) =>
  (await database.pool.query(statement, values)).rows;
const countOf = async (table: string) => (await run(`SELECT count(*)::int AS total FROM ${table}`))[0].total;

const signUp = (given: object = {}) =>
  signup.signUp({
    body: {
      name: 'Grace Hopper',
      email,
      password,
      company_name: 'Acme',
      selected_plan_id: 'pro',
      payment_method_id: 'pm_card_visa',
      ...given,
    },
  });
const logIn = (secret = password) => auth.login({ form: { username: email, password: secret } });

async function readTokens(): Promise<string[]> {
  const rows = await run(
    'SELECT id, tenant_id, sealed_link FROM mails WHERE sealed_link IS NOT NULL ORDER BY id',
  );
  return rows.map(({ id, tenant_id, sealed_link }) =>
    openSecret(keyring.sealingKey, mailLinkPlace(tenant_id, id), sealed_link).replace(/.*\//, ''),
  );
}
const confirm = (token: string, secret = password) =>
  signup.confirmSignup({ params: { token }, body: { password: secret } });

it('a signup opens an account only after its email is confirmed', async () => {
  expect(await signUp()).toMatchObject({ email, needs_confirmation: true });
  expect([await countOf('tenants'), await countOf('users')]).toEqual([0, 0]);
  await expect(logIn()).rejects.toMatchObject({ status: 401 });
  const [token = ''] = await readTokens();
  expect(await signup.getSignupConfirmation({ params: { token } })).toMatchObject({
    email,
    company_name: 'Acme',
  });
  await confirm(token);
  expect(await logIn()).toHaveProperty('access_token');
  expect(await run('SELECT name, status, plan_id FROM tenants')).toEqual([
    { name: 'Acme', status: 'trial', plan_id: 'pro' },
  ]);
  await expect(confirm(token)).rejects.toMatchObject(worthless);
  expect([await countOf('signups'), await readTokens()]).toEqual([0, []]);
});

it('confirmSignup succeeds for one of many concurrent calls', async () => {
  await signUp();
  const [token = ''] = await readTokens();
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => confirm(token)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect([await countOf('tenants'), await countOf('subscriptions')]).toEqual([1, 1]);
});

it("confirmSignup requires the signup's password, so that a click cannot confirm another user's signup", async () => {
  await signUp({ password: 'chosen by eve' });
  const [token = ''] = await readTokens();
  await expect(confirm(token, 'guess of the owner')).rejects.toMatchObject({
    status: 422,
    detail: [{ loc: ['body', 'password'] }],
  });
  expect(await countOf('users')).toBe(0);
  await signUp();
  await confirm((await readTokens())[1] ?? '');
  await expect(logIn('chosen by eve')).rejects.toMatchObject({ status: 401 });
  await expect(confirm(token, 'chosen by eve')).rejects.toMatchObject(worthless);
});

it('an invitation takes precedence over pending signups of its email, regardless of their order', async () => {
  const tenantId = await addTenant(database.pool, 'One');
  const admin = await addPerson(database.pool, tenantId, 'admin', 'ada@one.test');
  await signUp();
  const [before = ''] = await readTokens();
  await invitations({ principal: admin }).createInvitation({ body: { email, role: 'user' } });
  await signUp();
  const [, invitation = '', after = ''] = await readTokens();
  expect(await invitations().getInvitationDetails({ params: { token: invitation } })).toMatchObject({
    email,
  });
  await invitations().acceptInvitation({ params: { token: invitation }, body: { name: 'Grace', password } });
  expect(await run('SELECT tenant_id FROM users WHERE email = $1', email)).toEqual([{ tenant_id: tenantId }]);
  for (const token of [before, after]) await expect(confirm(token)).rejects.toMatchObject(worthless);
  expect([await countOf('signups'), await countOf('tenants')]).toEqual([0, 1]);
});

it('a signup expires after 24 hours and is deleted by the nightly job', async () => {
  await signUp();
  const [token = ''] = await readTokens();
  nowMs += 24 * 3_600_000;
  await expect(confirm(token)).rejects.toMatchObject(worthless);
  const later = () => Date.now() + 3 * 24 * 3_600_000;
  await runAlone(createSystemDatabase(database.pool), createDeleteOldRows(later), log);
  expect(await countOf('signups')).toBe(0);
});

it('resendSignupConfirmation replaces the link and sends at most five emails a day to one recipient', async () => {
  await signUp();
  const [first = ''] = await readTokens();
  await signup.resendSignupConfirmation({ body: { email: ` ${email.toUpperCase()}` } });
  const [second = ''] = await readTokens();
  expect(second).not.toBe(first);
  await expect(confirm(first)).rejects.toMatchObject(worthless);
  for (let count = 0; count < 8; count++) await signup.resendSignupConfirmation({ body: { email } });
  for (let count = 0; count < 3; count++) await signUp({ email: 'ceo+other@acme.test' });
  expect(await countOf('mails')).toBe(5);
  await confirm((await readTokens())[0] ?? '');
});
