import {
  apiKeysRoutes,
  invitationsRoutes,
  paymentMethodsRoutes,
  type RoleName,
  signupRoutes,
  subscriptionsRoutes,
  usersRoutes,
} from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createApiKeysHandlers } from '#console/api-keys/routes.ts';
import { createInvitationsHandlers } from '#console/invitations/routes.ts';
import { createPaymentMethodsHandlers } from '#console/payment-methods/routes.ts';
import { syncRegistry } from '#console/provider-registry/sync-registry.ts';
import { createSignupHandlers } from '#console/signup/routes.ts';
import { createSubscriptionsHandlers } from '#console/subscriptions/routes.ts';
import { createUsersHandlers } from '#console/users/routes.ts';
import { createSystemDatabase, type SystemDatabase } from '#db/system.ts';
import type { Principal } from '#domain/principal.ts';
import { createMailbox } from '#mail/mailbox.ts';
import { createSimulatedProvider } from '#payments/simulated-provider.ts';
import { createKeyring } from '#platform/keyring.ts';
import { createLogger } from '#platform/logger.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { emptyTables } from '#test/database/empty-tables.ts';

const keyring = createKeyring('test');
const passwords = {
  hash: async (password: string) => `hash of ${password}`,
  verify: async (password: string, hash: string) => hash === `hash of ${password}`,
};
const roleIds: Readonly<Record<RoleName, number>> = { super_admin: 1, admin: 2, user: 3 };

let database: TestDatabase;
let system: SystemDatabase;
let operator: Principal;
let ada: Principal;

beforeAll(async () => {
  database = await createTestDatabase();
  system = createSystemDatabase(database.pool);
  await syncRegistry(system);
  await query(
    `INSERT INTO plans (id, name, description, price_monthly, price_yearly, user_limit, admin_limit, position)
     VALUES ('small', 'Small', 'To race', 0, 0, 5, 2, 90), ('large', 'Large', 'To race', 0, 0, 50, 50, 91)`,
  );
});
afterAll(() => database.close());
beforeEach(async () => {
  await emptyTables(database, 'tenants', 'login_attempts');
  const operators = await addTenant(database.pool, 'Operators');
  operator = await addPerson(database.pool, operators, 'super_admin', 'root@operators.test');
  ada = await addPerson(database.pool, await addTenant(database.pool, 'Acme'), 'admin', 'ada@acme.test');
});

const query = async (statement: string, ...values: unknown[]) =>
  (await database.pool.query(statement, values)).rows;
const count = async (statement: string, ...values: unknown[]) =>
  Number((await query(`SELECT count(*) AS total FROM ${statement}`, ...values))[0]?.total);
const twenty = <Value>(make: (index: number) => Value): Value[] =>
  Array.from({ length: 20 }, (_, at) => make(at));

const provider = () => createSimulatedProvider(system);
const usersOf = (principal: Principal) =>
  createTestConsole(database.pool, usersRoutes, createUsersHandlers({ passwords }))({ principal });
const keysOf = (principal: Principal) =>
  createTestConsole(database.pool, apiKeysRoutes, createApiKeysHandlers({ keyring }))({ principal });
const subscriptionsOf = (principal: Principal) =>
  createTestConsole(
    database.pool,
    subscriptionsRoutes,
    createSubscriptionsHandlers({ system, provider: provider() }),
  )({ principal });
const cardsOf = (principal: Principal) =>
  createTestConsole(
    database.pool,
    paymentMethodsRoutes,
    createPaymentMethodsHandlers({ system, provider: provider() }),
  )({ principal });
const invitationsOf = (principal?: Principal) =>
  createTestConsole(
    database.pool,
    invitationsRoutes,
    createInvitationsHandlers({
      database: system,
      keyring,
      passwords,
      clock: () => Date.now(),
      mailbox: createMailbox({ keyring, hasServer: false }),
      publicUrl: 'https://sluice.test',
    }),
  )(principal ? { principal } : {});
const strangers = () =>
  createTestConsole(
    database.pool,
    signupRoutes,
    createSignupHandlers({
      system,
      provider: provider(),
      passwords,
      keyring,
      mailbox: createMailbox({ keyring, hasServer: false }),
      publicUrl: 'https://sluice.test',
      hasMailServer: false,
      clock: () => Date.now(),
      hasSandbox: false,
      isSignupOpen: true,
      log: createLogger('silent'),
    }),
  )({});

const newUser = (at: number, role: RoleName) => ({
  email: `user${at}@acme.test`,
  name: `User ${at}`,
  password: 'a horse on a battery',
  role_id: roleIds[role],
});

async function addInactive(role: RoleName): Promise<number[]> {
  const people = await Promise.all(
    twenty((at) => addPerson(database.pool, ada.tenantId, role, `off${at}@acme.test`)),
  );
  await query(
    'UPDATE users SET is_active = false WHERE tenant_id = $1 AND id <> $2',
    ada.tenantId,
    ada.userId,
  );
  return people.map(({ userId }) => userId);
}

const setLimits = (limit: number) =>
  query('UPDATE tenants SET user_limit = $2, admin_limit = $2 WHERE id = $1', ada.tenantId, limit);
const activeOf = (role: RoleName) =>
  count('users WHERE tenant_id = $1 AND is_active AND role_id = $2', ada.tenantId, roleIds[role]);
const pendingOf = (role: RoleName) =>
  count(
    'invitations WHERE tenant_id = $1 AND role_id = $2 AND accepted_at IS NULL',
    ada.tenantId,
    roleIds[role],
  );

interface Race {
  readonly calls: readonly (() => Promise<unknown>)[];
  /** Expected final number of objects; `null` means the tenant's limit. */
  readonly most: number | null;
  taken(): Promise<number>;
}

type RaceOf = () => Promise<Race>;

const seatRaces = (role: 'user' | 'admin'): Readonly<Record<string, RaceOf>> => ({
  'creating users': async () => {
    await setLimits(5);
    return {
      calls: twenty((at) => () => usersOf(ada).createUser({ body: newUser(at, role) })),
      most: 5,
      taken: () => activeOf(role),
    };
  },
  'reactivating users': async () => {
    const ids = await addInactive(role);
    await setLimits(5);
    return {
      calls: ids.map((id) => () => usersOf(ada).updateUser({ params: { id }, body: { is_active: true } })),
      most: 5,
      taken: () => activeOf(role),
    };
  },
  'inviting people': async () => {
    await setLimits(5);
    return {
      calls: twenty(
        (at) => () => invitationsOf(ada).createInvitation({ body: { email: `guest${at}@acme.test`, role } }),
      ),
      most: 5,
      taken: async () => (await activeOf(role)) + (await pendingOf(role)),
    };
  },
  'a downgrade and reactivations': async () => {
    await cardsOf(ada).addPaymentMethod({ body: { payment_method_id: 'pm_card_visa' } });
    await subscriptionsOf(ada).changeSubscription({ body: { plan_id: 'large' } });
    const ids = await addInactive(role);
    const reactivate = ids.map(
      (id) => () => usersOf(ada).updateUser({ params: { id }, body: { is_active: true } }),
    );
    const downgrade = () => subscriptionsOf(ada).changeSubscription({ body: { plan_id: 'small' } });
    return { calls: [downgrade, ...reactivate], most: null, taken: () => activeOf(role) };
  },
});

const operatorRaces = (role: 'user' | 'admin'): Readonly<Record<string, RaceOf>> => ({
  "an operator's downgrade and reactivations": async () => {
    await cardsOf(ada).addPaymentMethod({ body: { payment_method_id: 'pm_card_visa' } });
    await subscriptionsOf(ada).changeSubscription({ body: { plan_id: 'large' } });
    const ids = await addInactive(role);
    const reactivate = ids.map(
      (id) => () => usersOf(ada).updateUser({ params: { id }, body: { is_active: true } }),
    );
    const downgrade = () =>
      subscriptionsOf(operator).changeTenantSubscription({
        params: { id: ada.tenantId },
        body: { plan_id: 'small' },
      });
    return {
      calls: [...reactivate.slice(0, 3), downgrade, ...reactivate.slice(3)],
      most: null,
      taken: () => activeOf(role),
    };
  },
});

const planLimits: Readonly<Record<string, Readonly<Record<string, RaceOf>>>> = {
  user_limit: { ...seatRaces('user'), ...operatorRaces('user') },
  admin_limit: { ...seatRaces('admin'), ...operatorRaces('admin') },
};

/** Rules such as "at most one" or "at least one" that concurrent calls must not break. */
const rules: Readonly<Record<string, RaceOf>> = {
  users_email: async () => ({
    calls: twenty(() => () => usersOf(ada).createUser({ body: newUser(0, 'user') })),
    most: 1,
    taken: () => count("users WHERE email = 'user0@acme.test'"),
  }),
  api_keys_one_per_user: async () => ({
    calls: twenty(() => () => keysOf(ada).createUserApiKey({ params: { id: ada.userId }, body: {} })),
    most: 1,
    taken: () => count('api_keys WHERE user_id = $1 AND revoked_at IS NULL', ada.userId),
  }),
  invitations_one_open: async () => ({
    calls: twenty(
      () => () => invitationsOf(ada).createInvitation({ body: { email: 'guest@acme.test', role: 'user' } }),
    ),
    most: 1,
    taken: () => count('invitations WHERE tenant_id = $1 AND accepted_at IS NULL', ada.tenantId),
  }),
};

/** Unique constraints covered by other tests, or enforced only by an index without a prior check in code. */
const keptByIndex: Readonly<Record<string, string>> = {
  budget_raise_requests_open: 'a plain insert',
  budgets_of_default: 'written by the triggers of defaults, raced by their tests',
  domains_one_owner: 'a plain update',
  identity_providers_callback: 'a plain insert',
  identity_providers_name: 'a plain insert',
  user_identities_one: 'a plain update',
  users_service_account_name: 'a plain insert',
  blacklist_entries_once: 'a plain insert',
  chat_messages_pending: 'raced by the tests of chats',
  llm_providers_name: 'a plain insert',
  llm_providers_one_default: "written under the lock of the tenant's instances",
  password_resets_one_per_user: 'an upsert, raced by the tests of password resets',
  scim_tokens_name: 'a plain insert',
  task_assignments_one_active: 'a plain insert',
  tasks_one_api_access: 'a plain insert',
  teams_name: 'a plain insert',
};

async function run({ calls, most, taken }: Race, limitColumn?: string): Promise<void> {
  const outcomes = await Promise.allSettled(calls.map((call) => call()));
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  for (const reason of refused) expect([409, 422], String(reason)).toContain(reason.status);
  const total = await taken();
  expect(total).toBeGreaterThan(0);
  expect(total).toBeLessThanOrEqual(most ?? (await limitNow(limitColumn)));
}

async function limitNow(column = 'user_limit'): Promise<number> {
  const [row] = await query(`SELECT ${column} AS most FROM tenants WHERE id = $1`, ada.tenantId);
  return row?.most;
}

it('every plan limit has a race test', async () => {
  const columns = await query(
    "SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'plans' AND column_name LIKE '%\\_limit'",
  );
  expect(columns.map(({ name }) => name).toSorted()).toEqual(Object.keys(planLimits).toSorted());
});

it('every unique constraint has a race test or is enforced by its index alone', async () => {
  const indexes = await query(
    `SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE i.indisunique AND c.relnamespace = 'public'::regnamespace
       AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid) AND NOT c.relispartition`,
  );
  const declared = [...Object.keys(rules), ...Object.keys(keptByIndex)];
  expect(indexes.map(({ name }) => name).toSorted()).toEqual(declared.toSorted());
});

describe.each(Object.entries(planLimits))('%s', (column, races) => {
  it.each(Object.entries(races))(
    '20 or more concurrent calls do not exceed the plan limit: %s',
    async (_name, race) => {
      await run(await race(), column);
    },
  );
});

it.each(Object.entries(rules))('the rule %s holds for 20 concurrent calls', async (_name, race) => {
  await run(await race());
});

const block = (admin: Principal, id: number) =>
  usersOf(admin).blockUser({ params: { id }, query: { reason: 'a' } });
const change = (body: object) => (admin: Principal, id: number) =>
  usersOf(admin).updateUser({ params: { id }, body });
const removals: Readonly<Record<string, readonly ((admin: Principal, id: number) => Promise<unknown>)[]>> = {
  deactivate: [change({ is_active: false })],
  demote: [change({ role_id: roleIds.user })],
  block: [block],
  'deactivate, demote or block': [change({ is_active: false }), change({ role_id: roleIds.user }), block],
};

it.each(Object.entries(removals))(
  'one administrator remains when 20 %s each other concurrently',
  async (_, ways) => {
    const admins = await Promise.all(
      twenty((at) => addPerson(database.pool, ada.tenantId, 'admin', `admin${at}@acme.test`)),
    );
    await query('UPDATE users SET is_active = false WHERE id = $1', ada.userId);
    const outcomes = await Promise.allSettled(
      admins.map((admin, at) =>
        ways[at % ways.length]?.(admin, admins[(at + 1) % admins.length]?.userId ?? 0),
      ),
    );
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toMatchObject([
      {
        reason: {
          status: 409,
          message: 'This is the last active administrator. Make another user an administrator first.',
        },
      },
    ]);
    const isAble = 'tenant_id = $1 AND role_id = $2 AND is_active AND NOT is_blocked';
    expect(await count(`users WHERE ${isAble}`, ada.tenantId, roleIds.admin)).toBe(1);
  },
);

it('20 concurrent signups with one form store one card and create one user', async () => {
  const before = await count('simulated_payment_methods');
  const body = {
    email: 'cy@new.test',
    name: 'Cy',
    password: 'a horse on a battery',
    company_name: 'New',
    selected_plan_id: 'basic',
    payment_method_id: 'pm_card_visa',
  };
  await Promise.allSettled(twenty(() => strangers().signUp({ body })));
  expect(await count('simulated_payment_methods')).toBe(before + 1);
  expect(await count("users WHERE email = 'cy@new.test'")).toBe(1);
});

it('one default card remains when others are removed concurrently', async () => {
  const cards = await Promise.all(
    twenty(() => cardsOf(ada).addPaymentMethod({ body: { payment_method_id: 'pm_card_visa' } })),
  );
  await Promise.allSettled(
    cards.slice(2).map(({ id }) => cardsOf(ada).removePaymentMethod({ params: { id } })),
  );
  const left = await cardsOf(ada).listPaymentMethods();
  expect(left).toHaveLength(2);
  expect(left.filter(({ is_default }) => is_default)).toHaveLength(1);
});
