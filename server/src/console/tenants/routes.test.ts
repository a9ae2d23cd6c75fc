import { type Client, systemRoutes, tenantsRoutes } from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { syncRegistry } from '#console/provider-registry/sync-registry.ts';
import { createSystemHandlers } from '#console/system/routes.ts';
import { createSystemDatabase } from '#db/system.ts';
import type { Principal } from '#domain/principal.ts';
import { createMailbox } from '#mail/mailbox.ts';
import { createKeyring } from '#platform/keyring.ts';
import { createPasswordHasher } from '#platform/password.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createTenantsHandlers } from './routes.ts';

const keyring = createKeyring('test');
const passwords = createPasswordHasher();
let database: TestDatabase;
let operator: Principal;
let member: Principal;
let as: (principal: Principal) => Client<typeof tenantsRoutes>;

beforeAll(async () => {
  database = await createTestDatabase();
  const { pool } = database;
  const system = createSystemDatabase(pool);
  await syncRegistry(system);
  const handlers = createTenantsHandlers({
    system,
    passwords,
    keyring,
    mailbox: createMailbox({ keyring, hasServer: false }),
    clock: () => Date.now(),
    publicUrl: 'https://sluice.test',
    hasSandbox: true,
  });
  const tenantId = await addTenant(pool, 'Northwind');
  for (const name of ['contoso', 'Adventure', '50%']) await addTenant(pool, name);
  operator = await addPerson(pool, tenantId, 'super_admin', 'root@one.test');
  member = await addPerson(pool, tenantId, 'admin', 'ada@one.test');
  const console = createTestConsole(pool, tenantsRoutes, handlers);
  as = (principal) => console({ principal });
});
afterAll(() => database.close());

const read = async (statement: string, ...values: unknown[]) =>
  (await database.pool.query(statement, values)).rows;
let namesCount = 0;
type NewTenant = Parameters<Client<typeof tenantsRoutes>['createTenant']>[0]['body'];
const create = (body: Partial<NewTenant> = {}) => {
  const number = ++namesCount;
  const administrator = { administrator_email: `ada@acme-${number}.test` };
  return as(operator).createTenant({ body: { name: `Acme ${number}`, ...administrator, ...body } });
};
const refusal = (field: string, message: string | RegExp) => ({
  status: 422,
  detail: [
    {
      loc: ['body', field],
      msg: typeof message === 'string' ? message : expect.stringMatching(message),
      type: 'value_error',
    },
  ],
});

describe('listTenants', () => {
  it('listTenants returns a page of all tenants by name with the total', async () => {
    let total: string | null = null;
    const page = await as(operator).listTenants(
      { query: { skip: 1, limit: 2 } },
      { onHeaders: (headers) => (total = headers.get('x-total-count')) },
    );
    expect(page).toMatchObject([
      { name: 'Adventure', slug: 'adventure', status: 'active' },
      { name: 'contoso', slug: 'contoso' },
    ]);
    expect(total).toBe('4');
  });

  it('listTenants searches part of a name literally', async () => {
    const find = async (search: string) =>
      (await as(operator).listTenants({ query: { search } })).map(({ name }) => name);
    expect(await find('VENT')).toEqual(['Adventure']);
    expect(await find('%')).toEqual(['50%']);
  });

  it("listTenants includes the operator's own tenant", async () => {
    const mine = await as(operator).getMyTenant();
    expect((await as(operator).listTenants({})).filter(({ id }) => id === mine.id)).toEqual([mine]);
  });
});

it("getMyTenant returns the user's own tenant", async () => {
  expect(await as(member).getMyTenant()).toEqual({
    id: member.tenantId,
    name: 'Northwind',
    slug: 'northwind',
    status: 'active',
    created_at: expect.any(String),
  });
});

describe('createTenant', () => {
  it('createTenant derives the first free slug from the name', async () => {
    const slugs = [];
    for (let count = 0; count < 3; count++) slugs.push((await create({ name: 'Söhne & Co' })).slug);
    expect(slugs).toEqual(['sohne-co', 'sohne-co-2', 'sohne-co-3']);
    expect((await create({ name: '株式会社' })).slug).toBe('tenant');
    await expect(create({ slug: 'sohne-co' })).rejects.toMatchObject(
      refusal('slug', 'Another tenant has this slug'),
    );
  });

  it('createTenant assigns unique slugs under concurrent calls', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => create({ name: 'At once' })));
    expect(new Set(made.map(({ slug }) => slug)).size).toBe(5);
  });

  it('createTenant applies the limits of the plan, custom limits, or none', async () => {
    expect(await create({ plan_id: 'basic' })).toMatchObject({
      status: 'active',
      plan_id: 'basic',
      user_limit: 5,
      admin_limit: 1,
      user_count: 0,
      admin_count: 0,
      suspension_reason: null,
      suspended_at: null,
    });
    expect(await create({ plan_id: 'basic', user_limit: 7, admin_limit: null })).toMatchObject({
      plan_id: 'basic',
      user_limit: 7,
      admin_limit: null,
    });
    expect(await create()).toMatchObject({ plan_id: null, user_limit: null, admin_limit: null });
  });

  it('createTenant creates the sandbox instance and the span of daily usage', async () => {
    const { id } = await create();
    expect(
      await read('SELECT provider_instance_name, is_default FROM llm_providers WHERE tenant_id = $1', id),
    ).toEqual([{ provider_instance_name: 'sandbox', is_default: true }]);
    expect(await read('SELECT time_zone FROM usage_day_spans WHERE tenant_id = $1', id)).toHaveLength(1);
  });

  it('createTenant with an administrator name and password adds an administrator without limits who can sign in', async () => {
    const { id, admin_count } = await create({
      administrator_email: 'first@ready.test',
      administrator_name: 'First',
      administrator_password: 'correct horse',
    });
    expect(admin_count).toBe(1);
    const [first] = await read('SELECT * FROM users WHERE tenant_id = $1', id);
    expect(first).toMatchObject({
      email: 'first@ready.test',
      name: 'First',
      daily_quota: null,
      is_active: true,
    });
    expect(await passwords.verify('correct horse', first.password_hash)).toBe(true);
  });

  it('createTenant without an administrator name and password sends an invitation', async () => {
    const { id } = await create({ administrator_email: 'invited@ready.test' });
    expect(
      await read(
        'SELECT email, invited_by, invitation_status(invitations) AS status FROM invitations WHERE tenant_id = $1',
        id,
      ),
    ).toEqual([{ email: 'invited@ready.test', invited_by: operator.userId, status: 'pending' }]);
    expect(await read('SELECT to_address FROM mails WHERE tenant_id = $1', id)).toEqual([
      { to_address: 'invited@ready.test' },
    ]);
  });

  it.each([
    ['an invitation', {}],
    ['an account', { administrator_name: 'Ada', administrator_password: 'correct horse' }],
  ])('createTenant rejects the taken email of %s and reports the form field', async (_, administrator) => {
    const body = { name: 'Never made', administrator_email: 'ADA@one.test', ...administrator };
    await expect(create(body)).rejects.toMatchObject(
      refusal('administrator_email', 'A user with this email already exists'),
    );
    expect(await read("SELECT id FROM tenants WHERE name = 'Never made'")).toEqual([]);
  });

  it('createTenant requires the administrator name and password together', async () => {
    await expect(create({ administrator_name: 'Ada' })).rejects.toThrow('Password is required');
    await expect(create({ administrator_password: 'correct horse' })).rejects.toThrow(
      'Administrator name is required',
    );
  });

  it.each(['Acme', 'a b', '-a', 'a--b', '12', 'ä', ''])(
    'createTenant rejects the slug "%s"',
    async (slug) => {
      await expect(create({ slug })).rejects.toThrow(/Slug/);
    },
  );
});

describe('the limits of a tenant', () => {
  const makeFull = async () => {
    const { id, name } = await create({ plan_id: 'enterprise' });
    for (let count = 1; count <= 7; count++)
      await addPerson(database.pool, id, count > 5 ? 'admin' : 'user', `p${count}@full-${id}.test`);
    return { id, name };
  };
  const update = (id: number, body: object) => as(operator).updateTenant({ params: { id }, body });

  it('updateTenant sets limits from a plan or individually', async () => {
    const { id } = await create();
    expect(await update(id, { plan_id: 'pro' })).toMatchObject({ user_limit: 20, admin_limit: 3 });
    expect(await update(id, { user_limit: 25 })).toMatchObject({
      plan_id: 'pro',
      user_limit: 25,
      admin_limit: 3,
    });
    expect(await update(id, { plan_id: null, user_limit: null, admin_limit: null })).toMatchObject({
      plan_id: null,
      user_limit: null,
    });
  });

  it.each(['gold', '', ' '])(
    'createTenant and updateTenant reject the unknown plan "%s"',
    async (plan_id) => {
      const { id } = await create();
      const unknown = refusal('plan_id', 'This plan does not exist. Choose one of the offered plans.');
      await expect(create({ plan_id })).rejects.toMatchObject(unknown);
      await expect(update(id, { plan_id })).rejects.toMatchObject(unknown);
    },
  );

  it('updateTenant rejects limits below current use with the numbers', async () => {
    const { id, name } = await makeFull();
    await expect(update(id, { user_limit: 4 })).rejects.toMatchObject(
      refusal('user_limit', `${name} has 5 users; the limit cannot be 4. Deactivate users first.`),
    );
    await expect(update(id, { admin_limit: 1 })).rejects.toMatchObject(
      refusal('admin_limit', /has 2 admins; the limit cannot be 1/),
    );
    await expect(update(id, { plan_id: 'basic' })).rejects.toMatchObject(
      refusal(
        'plan_id',
        `Basic allows 1 admin, and ${name} has 2 admins. Deactivate users first, or set custom limits.`,
      ),
    );
    expect(await update(id, { user_limit: 5, admin_limit: 2 })).toMatchObject({
      user_limit: 5,
      admin_limit: 2,
    });
  });

  it('updateTenant accepts other changes while a limit is below current use', async () => {
    const { id } = await makeFull();
    await read('UPDATE tenants SET user_limit = 1 WHERE id = $1', id);
    const sent = await as(operator).getTenant({ params: { id } });
    expect(await update(id, { user_limit: sent.user_limit, name: 'Renamed' })).toMatchObject({
      name: 'Renamed',
      user_limit: 1,
      user_count: 5,
    });
  });
});

describe('a suspended tenant', () => {
  const suspend = (id: number, reason = 'The invoice is overdue') =>
    as(operator).suspendTenant({ params: { id }, body: { reason } });
  const reactivate = (id: number) => as(operator).reactivateTenant({ params: { id } });

  it('suspendTenant stores reason and time, and reactivateTenant clears them', async () => {
    const { id } = await create();
    expect(await suspend(id)).toMatchObject({
      status: 'suspended',
      suspension_reason: 'The invoice is overdue',
      suspended_at: expect.any(String),
    });
    expect(await suspend(id, 'Another reason')).toMatchObject({ suspension_reason: 'Another reason' });
    expect(await reactivate(id)).toMatchObject({
      status: 'active',
      suspension_reason: null,
      suspended_at: null,
    });
  });

  it('reactivateTenant resumes the trial', async () => {
    const { id } = await create();
    await read("UPDATE tenants SET status = 'trial' WHERE id = $1", id);
    await suspend(id);
    await suspend(id, 'Still overdue');
    expect(await reactivate(id)).toMatchObject({ status: 'trial' });
  });

  it('getStatus returns a banner with the reason to users of a suspended tenant', async () => {
    const { id, name } = await create();
    const person = await addPerson(database.pool, id, 'user', `mara@suspended-${id}.test`);
    const status = createTestConsole(
      database.pool,
      systemRoutes,
      createSystemHandlers({
        version: '1',
        unreadiness: () => null,
        system: createSystemDatabase(database.pool),
        node: 'test',
        metricsToken: null,
        dataDir: '.',
        readNodeMetrics: async () => [],
      }),
    );
    const readBanners = async () => (await status({ principal: person }).getStatus()).banners;
    expect(await readBanners()).toEqual([]);
    await suspend(id);
    expect(await readBanners()).toMatchObject([
      {
        severity: 'error',
        message: expect.stringContaining(`${name} is suspended: The invoice is overdue.`),
      },
    ]);
    await reactivate(id);
    expect(await readBanners()).toEqual([]);
  });

  it('suspendTenant rejects the tenant of the super administrators', async () => {
    await expect(suspend(operator.tenantId)).rejects.toMatchObject({
      status: 409,
      detail: 'Northwind is the tenant of super administrators and cannot be suspended',
    });
  });
});

it('tenant routes return 404 for an unknown tenant', async () => {
  const params = { id: 2_147_483_647 };
  const missing = { status: 404, detail: 'Tenant not found' };
  await expect(as(operator).getTenant({ params })).rejects.toMatchObject(missing);
  await expect(as(operator).updateTenant({ params, body: {} })).rejects.toMatchObject(missing);
  await expect(as(operator).suspendTenant({ params, body: { reason: 'x' } })).rejects.toMatchObject(missing);
  await expect(as(operator).reactivateTenant({ params })).rejects.toMatchObject(missing);
});
