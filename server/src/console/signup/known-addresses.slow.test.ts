import { authRoutes, contract, passwordResetsRoutes, type RouteRow, signupRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAuthHandlers } from '#console/auth/routes.ts';
import { createInvitationsHandlers } from '#console/invitations/routes.ts';
import { createPasswordResetsHandlers } from '#console/password-resets/routes.ts';
import { syncRegistry } from '#console/provider-registry/sync-registry.ts';
import { createSystemDatabase } from '#db/system.ts';
import { ConsoleError } from '#errors/console-error.ts';
import { createMailbox } from '#mail/mailbox.ts';
import type { PaymentProvider } from '#payments/payment-provider.ts';
import { createSimulatedProvider } from '#payments/simulated-provider.ts';
import { createKeyring } from '#platform/keyring.ts';
import { createLogger } from '#platform/logger.ts';
import { createPasswordHasher } from '#platform/password.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { emptyTables } from '#test/database/empty-tables.ts';
import { inputFields } from '../../../../contract/src/testing/input-fields.ts';
import { createSignupHandlers } from './routes.ts';

const keyring = createKeyring('test');
const log = createLogger('silent');
const hasher = createPasswordHasher();

let database: TestDatabase;
let steps: string[] = [];
const passwords = {
  hash: (...args: Parameters<typeof hasher.hash>) => {
    steps.push('hash');
    return hasher.hash(...args);
  },
  verify: (...args: Parameters<typeof hasher.verify>) => {
    steps.push('verify');
    return hasher.verify(...args);
  },
};

beforeAll(async () => {
  database = await createTestDatabase();
  await syncRegistry(createSystemDatabase(database.pool));
});
afterAll(() => database.close());
beforeEach(async () => {
  await emptyTables(database, 'tenants', 'signups', 'mails', 'outbound_counts', 'login_attempts');
});

function record(provider: PaymentProvider): PaymentProvider {
  return new Proxy(provider, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver);
      if (typeof method !== 'function') return method;
      return (...args: unknown[]) => {
        steps.push(String(name));
        return Reflect.apply(method, target, args);
      };
    },
  });
}

function createClients(hasMailServer: boolean) {
  const { pool } = database;
  const system = createSystemDatabase(pool);
  const mailbox = createMailbox({ keyring, hasServer: hasMailServer });
  const shared = { database: system, system, keyring, passwords, mailbox, hasMailServer, log };
  const deps = { ...shared, clock: () => Date.now(), publicUrl: 'https://sluice.test' };
  const provider = record(createSimulatedProvider(system));
  const signup = createSignupHandlers({ ...deps, provider, hasSandbox: true, isSignupOpen: true });
  const invitations = createInvitationsHandlers(deps);
  return {
    signup: createTestConsole(pool, signupRoutes, signup)(),
    auth: createTestConsole(pool, authRoutes, createAuthHandlers(deps))(),
    resets: createTestConsole(pool, passwordResetsRoutes, createPasswordResetsHandlers(deps))(),
    invite: createTestConsole(pool, contract.invitations, invitations),
  };
}
type Clients = ReturnType<typeof createClients>;

const bodyOf = (email: string, payment_method_id: string) => ({
  name: 'Grace Hopper',
  email,
  password: 'cobol-1959',
  company_name: 'Acme',
  selected_plan_id: 'pro',
  payment_method_id,
});
const signUp = (card: string) => (clients: Clients, email: string) =>
  clients.signup.signUp({ body: bodyOf(email, card) });

const calls: Readonly<Record<string, Record<string, (clients: Clients, email: string) => Promise<unknown>>>> =
  {
    signUp: {
      'a good card': signUp('pm_card_visa'),
      'a declined card': signUp('pm_card_visa_chargeDeclined'),
      'an unknown card': signUp('pm_nobody'),
    },
    login: {
      'a wrong password': ({ auth }, email) =>
        auth.login({ form: { username: email, password: 'wrong one' } }),
    },
    requestPasswordReset: {
      'any address': ({ resets }, email) => resets.requestPasswordReset({ body: { email } }),
    },
    resendSignupConfirmation: {
      'any address': ({ signup }, email) => signup.resendSignupConfirmation({ body: { email } }),
    },
  };

const states: Readonly<Record<string, (clients: Clients, email: string) => Promise<unknown>>> = {
  known: async (_, email) =>
    addPerson(database.pool, await addTenant(database.pool, 'Known'), 'admin', email),
  inactive: async (_, email) => {
    const { userId } = await addPerson(database.pool, await addTenant(database.pool, 'Idle'), 'user', email);
    await database.pool.query('UPDATE users SET is_active = false WHERE id = $1', [userId]);
  },
  suspended: async (_, email) => {
    const tenantId = await addTenant(database.pool, 'Suspended');
    await addPerson(database.pool, tenantId, 'admin', email);
    await database.pool.query("UPDATE tenants SET status = 'suspended' WHERE id = $1", [tenantId]);
  },
  invited: async ({ invite }, email) => {
    const tenantId = await addTenant(database.pool, 'Inviting');
    const principal = await addPerson(database.pool, tenantId, 'admin', 'ada@inviting.test');
    await invite({ principal }).createInvitation({ body: { email, role: 'user' } });
  },
  unconfirmed: (clients, email) => clients.signup.signUp({ body: bodyOf(email, 'pm_card_visa') }),
};

async function answerOf(work: () => Promise<unknown>, email: string) {
  steps = [];
  const answer = await work().then(
    (body) => ({ status: 200, body, wait: null }),
    (error: unknown) => {
      if (!(error instanceof ConsoleError)) throw error;
      return { status: error.status, body: error.detail, wait: error.retryAfterSeconds ?? null };
    },
  );
  return { ...answer, body: JSON.stringify(answer.body ?? null).replaceAll(email, '{email}'), steps };
}

const cases = Object.entries(calls).flatMap(([route, variants]) =>
  Object.entries(variants).map(([variant, call]) => ({ route, variant, call })),
);

describe.each(cases)('$route with $variant and a mail server', ({ call }) => {
  it.each(Object.entries(states))(
    'anonymous routes take the same steps for an email that is %s as for an unknown one',
    async (state, make) => {
      const clients = createClients(true);
      const email = `${state}@acme.test`;
      const unknown = 'unknown@acme.test';
      await make(clients, email);
      const expected = await answerOf(() => call(clients, unknown), unknown);
      const answer = await answerOf(() => call(clients, email), email);
      expect(answer).toEqual(expected);
    },
  );
});

describe.each(['pm_card_visa_chargeDeclined', 'pm_nobody'])('signup with %s and no mail server', (card) => {
  it('signUp with a rejected card and no mail server reveals nothing about the email', async () => {
    const clients = createClients(false);
    await states.known?.(clients, 'known@acme.test');
    const expected = await answerOf(() => signUp(card)(clients, 'unknown@acme.test'), 'unknown@acme.test');
    expect(await answerOf(() => signUp(card)(clients, 'known@acme.test'), 'known@acme.test')).toEqual(
      expected,
    );
  });
});

it('signUp without a mail server rejects an invited email like an email already in use', async () => {
  const clients = createClients(false);
  await states.known?.(clients, 'known@acme.test');
  await states.invited?.(clients, 'invited@acme.test');
  const call = signUp('pm_card_visa');
  const expected = await answerOf(() => call(clients, 'known@acme.test'), 'known@acme.test');
  expect(expected.status).toBe(422);
  expect(await answerOf(() => call(clients, 'invited@acme.test'), 'invited@acme.test')).toEqual(expected);
  await database.pool.query('UPDATE invitations SET cancelled_at = now()');
  expect(await answerOf(() => call(clients, 'invited@acme.test'), 'invited@acme.test')).toMatchObject({
    status: 200,
  });
});

it('every anonymous route that accepts an email is tested with known and unknown emails', () => {
  const rows = Object.values<Record<string, RouteRow>>(contract).flatMap((routes) => Object.entries(routes));
  const named = rows
    // The sign-in page only uses the domain of an email.
    .filter(([name, row]) => row.permission === 'anyone' && name !== 'getSignInOptions')
    .filter(([, row]) =>
      inputFields(row).some(({ path }) => /(?:^|_)(?:e?mail|username)$/.test(path.at(-1) ?? '')),
    )
    .map(([name]) => name);
  expect(named.toSorted()).toEqual(Object.keys(calls).toSorted());
});
