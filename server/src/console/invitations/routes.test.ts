import {
  type Client,
  invitationsRoutes,
  outboxRoutes,
  type RoleName,
  roleNames,
  usersRoutes,
} from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createOutboxHandlers } from '#console/outbox/routes.ts';
import { createUsersHandlers } from '#console/users/routes.ts';
import { createSystemDatabase } from '#db/system.ts';
import type { Principal } from '#domain/principal.ts';
import { mayManage } from '#domain/role.ts';
import { createMailbox } from '#mail/mailbox.ts';
import { createKeyring } from '#platform/keyring.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { emptyTables } from '#test/database/empty-tables.ts';
import { createInvitationsHandlers } from './routes.ts';

const keyring = createKeyring('test');
const publicUrl = 'https://sluice.one.test';
const passwords = { hash: async (password: string) => `hash of ${password}` };
const worthless = { status: 404, detail: 'Invitation not found or expired' };
const dayMs = 24 * 3_600_000;

let database: TestDatabase;
let as: (principal?: Principal, address?: string) => Client<typeof invitationsRoutes>;
let outboxOf: (principal: Principal) => Client<typeof outboxRoutes>;
let usersOf: (principal: Principal) => Client<typeof usersRoutes>;
let tenantId: number;
let admin: Principal;
let operator: Principal;
let stranger: Principal;

beforeAll(async () => {
  database = await createTestDatabase();
  const { pool } = database;
  const handlers = createInvitationsHandlers({
    database: createSystemDatabase(pool),
    keyring,
    passwords,
    clock: () => Date.now(),
    mailbox: createMailbox({ keyring, hasServer: false }),
    publicUrl,
  });
  const invitations = createTestConsole(pool, invitationsRoutes, handlers);
  as = (principal, address = '192.0.2.1') => invitations({ ...(principal && { principal }), address });
  const outbox = createTestConsole(
    pool,
    outboxRoutes,
    createOutboxHandlers({ keyring, publicUrl, hasServer: false }),
  );
  outboxOf = (principal) => outbox({ principal });
  const users = createTestConsole(pool, usersRoutes, createUsersHandlers({ passwords }));
  usersOf = (principal) => users({ principal });
});
afterAll(() => database.close());

beforeEach(async () => {
  await emptyTables(database, 'tenants', 'login_attempts', 'outbound_counts');
  tenantId = await addTenant(database.pool, 'One', { adminLimit: 2, userLimit: 3 });
  admin = await addPerson(database.pool, tenantId, 'admin', 'ada@one.test');
  operator = await addPerson(database.pool, tenantId, 'super_admin', 'root@one.test');
  const other = await addTenant(database.pool, 'Two');
  stranger = await addPerson(database.pool, other, 'admin', 'admin@two.test');
});

const invite = (by: Principal, email = 'mara@one.test', role: RoleName = 'user') =>
  as(by).createInvitation({ body: { email, role } });

async function readToken(by: Principal = operator): Promise<string> {
  const [mail] = await outboxOf(by).listMails({});
  return mail?.link?.replace(`${publicUrl}/invitation/`, '') ?? '';
}

const detailsOf = (token: string) => as().getInvitationDetails({ params: { token } });
const accept = (token: string, name = 'Mara') =>
  as().acceptInvitation({ params: { token }, body: { name, password: 'secret1' } });

async function expectWorthless(token: string): Promise<void> {
  await expect(detailsOf(token)).rejects.toMatchObject(worthless);
  await expect(accept(token)).rejects.toMatchObject(worthless);
}

const run = (statement: string, ...values: unknown[]) => database.pool.query(statement, values);

describe('an invitation', () => {
  it('createInvitation creates a link that is valid for seven days and only appears in the mail', async () => {
    const created = await invite(admin);
    expect(created).toMatchObject({
      email: 'mara@one.test',
      role: 'user',
      status: 'pending',
      invited_by_name: 'ada',
      accepted_at: null,
    });
    const daysLeft = (Date.parse(created.expires_at) - Date.now()) / dayMs;
    expect(daysLeft).toBeCloseTo(7, 2);
    const token = await readToken();
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    const { rows } = await run('SELECT invitations::text || mails::text AS text FROM invitations, mails');
    expect(rows[0].text).not.toContain(token);
    expect(rows[0].text).not.toContain(Buffer.from(token).toString('hex'));
  });

  it('getInvitationDetails returns inviter, email, tenant and role to the holder of the link', async () => {
    await invite(admin);
    expect(await detailsOf(await readToken())).toEqual({
      company_name: 'One',
      inviter_name: 'ada',
      role_name: 'user',
      email: 'mara@one.test',
    });
  });

  it('createInvitation rejects an email in use in any tenant, ignoring case', async () => {
    for (const email of ['ADA@one.test', 'Admin@Two.test']) {
      await expect(invite(admin, email)).rejects.toMatchObject({
        status: 422,
        detail: [{ loc: ['body', 'email'], msg: 'A user with this email already exists' }],
      });
    }
  });

  it('createInvitation creates one invitation per email and tenant under concurrent calls', async () => {
    const many = Array.from({ length: 10 }, (_, place) => invite(admin, place % 2 ? 'M@x.test' : 'm@x.test'));
    const outcomes = await Promise.allSettled(many);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') {
        expect(outcome.reason).toMatchObject({ status: 409, detail: expect.stringContaining('Resend') });
      }
    }
    expect(await outboxOf(admin).listMails({})).toHaveLength(1);
    await expect(invite(stranger, 'm@x.test')).resolves.toMatchObject({ status: 'pending' });
  });

  it('createInvitation accepts an email again after its invitation expired or was cancelled', async () => {
    const first = await invite(admin);
    const firstToken = await readToken();
    await run("UPDATE invitations SET expires_at = now() - interval '1 second'");
    const second = await invite(admin);
    await as(admin).cancelInvitation({ params: { id: second.id } });
    await invite(admin);
    await run("UPDATE invitations SET expires_at = now() + interval '1 day'");
    await expectWorthless(firstToken);
    const statuses = (await as(admin).listInvitations({})).map(({ id, status }) => [id, status]);
    expect(statuses).toMatchObject([
      [expect.any(Number), 'pending'],
      [second.id, 'cancelled'],
      [first.id, 'cancelled'],
    ]);
  });

  it('createInvitation accepts roles that the caller may assign and that have a free seat', async () => {
    await expect(invite(admin, 'x@one.test', 'super_admin')).rejects.toMatchObject({ status: 403 });
    await expect(invite(operator, 'x@one.test', 'super_admin')).resolves.toMatchObject({
      role: 'super_admin',
    });
    await expect(invite(admin, 'y@one.test', 'admin')).resolves.toMatchObject({ role: 'admin' });
    await addPerson(database.pool, tenantId, 'admin', 'second@one.test');
    await expect(invite(admin, 'z@one.test', 'admin')).rejects.toMatchObject({
      status: 422,
      detail: [
        { loc: ['body', 'role'], msg: 'Admin limit reached. Upgrade your plan to create more admins.' },
      ],
    });
  });
});

describe('acceptInvitation', () => {
  it('acceptInvitation creates an account with the invited email and role and the default quotas', async () => {
    const { id } = await invite(admin, 'Mara@one.test');
    expect(await accept(await readToken(), ' Mara Lind ')).toEqual({
      message: 'Account created successfully! You can now log in with your credentials.',
      email: 'mara@one.test',
    });
    const people = await usersOf(admin).listUsers({});
    expect(people.at(-1)).toMatchObject({
      name: 'Mara Lind',
      email: 'mara@one.test',
      role_name: 'user',
      daily_quota: 1000,
      monthly_quota: 30_000,
      requests_per_hour: 100,
      is_active: true,
    });
    const { rows } = await run('SELECT password_hash FROM users WHERE id = $1', people.at(-1)!.id);
    expect(rows).toEqual([{ password_hash: 'hash of secret1' }]);
    expect(await as(admin).listInvitations({})).toMatchObject([
      { id, status: 'accepted', accepted_at: expect.any(String) },
    ]);
    expect(await outboxOf(admin).listMails({})).toMatchObject([{ status: 'withdrawn', link: null }]);
  });

  it('acceptInvitation succeeds for exactly one of 50 concurrent calls', async () => {
    await invite(admin);
    const token = await readToken();
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => accept(token)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(worthless);
    }
    const { rows } = await run("SELECT count(*)::int FROM users WHERE email = 'mara@one.test'");
    expect(rows).toEqual([{ count: 1 }]);
    await expectWorthless(token);
  });

  it('acceptInvitation fills the remaining seats and no more under concurrent calls', async () => {
    // Reduce the plan's seats after the invitations were sent.
    await run('UPDATE tenants SET user_limit = 12 WHERE id = $1', tenantId);
    const tokens: string[] = [];
    for (let place = 0; place < 12; place++) {
      await invite(admin, `m${place}@one.test`);
      tokens.push(await readToken());
    }
    await run('UPDATE tenants SET user_limit = 3 WHERE id = $1', tenantId);
    const outcomes = await Promise.allSettled(tokens.map((token) => accept(token)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') {
        expect(outcome.reason).toMatchObject({
          status: 409,
          detail: 'User limit reached. Upgrade your plan to create more users.',
        });
      }
    }
    const stats = await as(admin).getInvitationStats();
    expect(stats).toEqual({ total: 12, pending: 9, accepted: 3, expired: 0, cancelled: 0 });
  });

  it('acceptInvitation shares the seat limit with createUser and updateUser under 99 concurrent calls', async () => {
    await run("UPDATE tenants SET user_limit = 33, status = 'active' WHERE id = $1", tenantId);
    const atOnce: (() => Promise<unknown>)[] = [];
    for (let place = 0; place < 33; place++) {
      await invite(admin, `invited${place}@one.test`);
      const token = await readToken();
      const { userId } = await addPerson(database.pool, tenantId, 'user', `rested${place}@one.test`);
      await run('UPDATE users SET is_active = false WHERE id = $1', userId);
      const body = { email: `made${place}@one.test`, name: 'New', password: 'secret1', role_id: 3 };
      atOnce.push(
        () => accept(token),
        () => usersOf(admin).updateUser({ params: { id: userId }, body: { is_active: true } }),
        () => usersOf(admin).createUser({ body }),
      );
    }
    await run('UPDATE tenants SET user_limit = 3 WHERE id = $1', tenantId);
    const outcomes = await Promise.allSettled(atOnce.map((act) => act()));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    const { rows } = await run(
      'SELECT count(*)::int FROM users WHERE role_id = 3 AND is_active AND tenant_id = $1',
      tenantId,
    );
    expect(rows).toEqual([{ count: 3 }]);
  });

  it('acceptInvitation and resendInvitation return 409 if the email has been used since the invitation', async () => {
    await invite(admin);
    const token = await readToken();
    await addPerson(database.pool, stranger.tenantId, 'user', 'MARA@one.test');
    await expect(accept(token)).rejects.toMatchObject({
      status: 409,
      detail: 'A user with this email already exists',
    });
    const id = (await as(admin).listInvitations({}))[0]!.id;
    await expect(as(admin).resendInvitation({ params: { id } })).rejects.toMatchObject({ status: 409 });
  });

  it.each([
    [{ name: ' ', password: 'secret1' }, 'Please enter your full name'],
    [{ name: 'Mara', password: '12345' }, 'Password must be at least 6 characters long'],
  ])("acceptInvitation rejects %j with the form's error message", (body, words) => {
    const parsed = invitationsRoutes.acceptInvitation.request.body.safeParse(body);
    expect(parsed.error?.issues).toMatchObject([{ message: words }]);
  });
});

describe('invalid links', () => {
  it.each<[string, string]>([
    ['after it expires', "UPDATE invitations SET expires_at = now() - interval '1 second'"],
    ['while its tenant is suspended', "UPDATE tenants SET status = 'suspended' WHERE name = 'One'"],
    ['once its inviter is inactive', "UPDATE users SET is_active = false WHERE name = 'ada'"],
    ['once its inviter is blocked', "UPDATE users SET is_blocked = true WHERE name = 'ada'"],
    ['once its inviter is demoted', "UPDATE users SET role_id = 3 WHERE name = 'ada'"],
  ])('an invitation link is invalid %s', async (_when, statement) => {
    await invite(admin);
    const token = await readToken();
    await expect(detailsOf(token)).resolves.toHaveProperty('email');
    await run(statement);
    await expectWorthless(token);
  });

  it('an invitation link is invalid if its token never existed, regardless of its format', async () => {
    for (const token of ['x', 'A'.repeat(43), "' OR 1=1 --", 'A'.repeat(200)]) await expectWorthless(token);
  });

  it('cancelInvitation invalidates the link and works once', async () => {
    const { id } = await invite(admin);
    const token = await readToken();
    expect(await as(admin).cancelInvitation({ params: { id } })).toMatchObject({ id, status: 'cancelled' });
    await expectWorthless(token);
    for (const act of [as(admin).cancelInvitation, as(admin).resendInvitation]) {
      await expect(act({ params: { id } })).rejects.toMatchObject({
        status: 409,
        detail: 'This invitation has been cancelled',
      });
    }
  });

  it('resendInvitation invalidates the old link and makes the caller the inviter', async () => {
    const { id } = await invite(admin);
    const old = await readToken();
    await run("UPDATE invitations SET expires_at = now() + interval '1 hour'");
    await run('UPDATE users SET is_active = false WHERE id = $1', admin.userId);
    expect(await as(operator).listInvitations({})).toMatchObject([{ id, status: 'expired' }]);
    const resent = await as(operator).resendInvitation({ params: { id } });
    expect(resent).toMatchObject({ id, status: 'pending', invited_by_name: 'root' });
    expect((Date.parse(resent.expires_at) - Date.now()) / dayMs).toBeCloseTo(7, 2);
    const current = await readToken();
    await expectWorthless(old);
    await expect(detailsOf(current)).resolves.toMatchObject({ inviter_name: 'root' });
    expect(await outboxOf(operator).listMails({})).toMatchObject([
      { status: 'held' },
      { status: 'withdrawn', link: null },
    ]);
    await accept(current);
    await expect(as(operator).resendInvitation({ params: { id } })).rejects.toMatchObject({
      status: 409,
      detail: 'This invitation has already been accepted',
    });
  });

  it.each(roleNames.flatMap((inviter) => roleNames.map((role) => [inviter, role] as const)))(
    'an invitation link of inviter %s for role %s is valid only if the inviter may assign the role',
    async (inviter, role) => {
      await invite(operator, 'mara@one.test', role);
      const token = await readToken();
      const { userId } = await addPerson(database.pool, tenantId, inviter, 'inviter@one.test');
      await run('UPDATE invitations SET invited_by = $1', userId);
      if (mayManage(inviter, role)) expect(await detailsOf(token)).toMatchObject({ role_name: role });
      else await expectWorthless(token);
    },
  );

  it('an invitation link is invalid if the inviter is of another tenant and not a super administrator', async () => {
    await invite(operator);
    const token = await readToken();
    await run('UPDATE invitations SET invited_by = $1', stranger.userId);
    await expectWorthless(token);
    await run('UPDATE users SET role_id = 1 WHERE id = $1', stranger.userId);
    await expect(detailsOf(token)).resolves.toHaveProperty('email');
  });

  it('invitation routes throttle IPs that try invalid links, and valid links do not count', async () => {
    await invite(admin);
    const token = await readToken();
    for (let tried = 0; tried < 100; tried++) {
      await detailsOf(token);
      await expect(detailsOf(`guess-${tried}`)).rejects.toMatchObject(worthless);
    }
    const waiting = {
      status: 429,
      detail: expect.stringMatching(/^Too many invitation attempts\. Try again in \d+ minutes?\.$/),
    };
    const acts = [detailsOf('guess'), detailsOf(token), accept(token)];
    await Promise.all(acts.map((act) => expect(act).rejects.toMatchObject(waiting)));
    await expect(
      as(undefined, '198.51.100.1').getInvitationDetails({ params: { token } }),
    ).resolves.toHaveProperty('email');
  });
});

describe('administration of invitations', () => {
  it("listInvitations returns the tenant's invitations by status, newest first, with the total", async () => {
    for (const name of ['a', 'b', 'c']) await invite(admin, `${name}@one.test`);
    await invite(stranger, 'd@one.test');
    const [newest] = await as(admin).listInvitations({});
    await as(admin).cancelInvitation({ params: { id: newest!.id } });
    const list = async (query: Parameters<ReturnType<typeof as>['listInvitations']>[0]['query']) => {
      let total: string | null = null;
      const rows = await as(admin).listInvitations(
        { query },
        { onHeaders: (headers) => (total = headers.get('x-total-count')) },
      );
      return [rows.map(({ email }) => email[0]).join(''), total];
    };
    expect(await list({})).toEqual(['cba', '3']);
    expect(await list({ status_filter: 'pending', limit: 1 })).toEqual(['b', '2']);
    expect(await list({ skip: 2 })).toEqual(['a', '3']);
    expect(await as(admin).getInvitationStats()).toEqual({
      total: 3,
      pending: 2,
      accepted: 0,
      expired: 0,
      cancelled: 1,
    });
  });

  it("invitation routes do not expose another tenant's invitations and emails", async () => {
    const { id } = await invite(admin);
    const missing = { status: 404, detail: 'Invitation not found' };
    await expect(as(stranger).cancelInvitation({ params: { id } })).rejects.toMatchObject(missing);
    await expect(as(stranger).resendInvitation({ params: { id } })).rejects.toMatchObject(missing);
    expect(await as(stranger).listInvitations({})).toEqual([]);
    expect(await outboxOf(stranger).listMails({})).toEqual([]);
  });

  it("invitation routes hide and protect links to roles above the caller's", async () => {
    const { id } = await invite(operator, 'x@one.test', 'super_admin');
    expect(await outboxOf(operator).listMails({})).toMatchObject([
      { link: expect.stringContaining(publicUrl) },
    ]);
    expect(await outboxOf(admin).listMails({})).toMatchObject([{ to_address: 'x@one.test', link: null }]);
    await expect(as(admin).resendInvitation({ params: { id } })).rejects.toMatchObject({ status: 403 });
    await expect(as(admin).cancelInvitation({ params: { id } })).rejects.toMatchObject({ status: 403 });
  });
});
