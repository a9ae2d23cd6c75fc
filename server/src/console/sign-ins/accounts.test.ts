import {
  type IdentityProvider,
  type RoleName,
  type updateSignInPolicyBody,
  usersRoutes,
} from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { createUsersHandlers } from '#console/users/routes.ts';
import type { Principal } from '#domain/principal.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import {
  callbackOf,
  createSignInConsole,
  type SignInConsole,
  setUpProvider,
} from '#test/console/sign-in-console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { emptyTables } from '#test/database/empty-tables.ts';
import { type LyingOpenIdProvider, startLyingOpenIdProvider } from '#test/providers/lying-openid-provider.ts';

let database: TestDatabase;
let console: SignInConsole;
let openid: LyingOpenIdProvider;
let provider: IdentityProvider;
let tenantId: number;
let operator: Principal;
let admin: Principal;

beforeAll(async () => {
  database = await createTestDatabase();
  openid = await startLyingOpenIdProvider();
  console = createSignInConsole(database);
});
afterAll(async () => {
  await console.close();
  await openid.close();
  await database.close();
});

beforeEach(async () => {
  await emptyTables(database, 'tenants', 'login_attempts', 'outbound_counts');
  tenantId = await addTenant(database.pool, 'One', { userLimit: 5, adminLimit: 3 });
  operator = await addPerson(database.pool, tenantId, 'super_admin', 'root@one.test');
  admin = await addPerson(database.pool, tenantId, 'admin', 'ada@one.test');
  provider = await setUpProvider(console, operator, openid, 'one.test');
});

type User = Readonly<Record<string, unknown>>;

const verified = (sub: string, email: string, more: User = {}): User => ({
  sub,
  email,
  email_verified: true,
  ...more,
});

async function signIn(user: User) {
  const { authorization_url: url, secret } = await console
    .as()
    .startSignIn({ body: { identity_provider_id: provider.id } });
  openid.user = user;
  const { access_token: token } = await console.as().finishSignIn({
    body: { secret, response: openid.authorize(url), callback: callbackOf(provider) },
  });
  return console.openToken(token);
}

const change = (
  body: Partial<
    Pick<
      IdentityProvider,
      'role_map' | 'role_claim' | 'team_map' | 'default_role' | 'trusts_emails' | 'creates_users'
    >
  >,
) => console.as(operator).updateIdentityProvider({ params: { id: provider.id }, body });
const setPolicy = (body: z.input<typeof updateSignInPolicyBody>) =>
  console.as(operator).updateSignInPolicy({ body });

const roleOf = async (userId: number) => {
  const { rows } = await database.pool.query<{ name: RoleName }>(
    'SELECT r.name FROM users u JOIN roles r ON r.id = u.role_id WHERE u.id = $1',
    [userId],
  );
  return rows[0]?.name;
};
const setRole = (userId: number, role: RoleName) =>
  database.pool.query('UPDATE users SET role_id = (SELECT id FROM roles WHERE name = $2) WHERE id = $1', [
    userId,
    role,
  ]);
const countSessions = async () => (await database.pool.query('SELECT id FROM sessions')).rows.length;
const emails = async () => {
  const { rows } = await database.pool.query<{ email: string }>('SELECT email FROM users ORDER BY id');
  return rows.map(({ email }) => email);
};

describe('linking to an existing account', () => {
  it('finishSignIn links a verified email of a confirmed domain', async () => {
    expect((await signIn(verified('ada-1', 'ada@one.test'))).userId).toBe(admin.userId);
    expect(await roleOf(admin.userId)).toBe('admin');
  });

  it.each(['ADA@ONE.TEST', ' ada@one.test', 'ada@ｏｎｅ.test'])(
    'finishSignIn links %s in its canonical form to the same account',
    async (email) => {
      expect((await signIn(verified('ada-1', email))).userId).toBe(admin.userId);
    },
  );

  /** Emails that resemble the account's email, or are equal in some databases or mail systems, but are different. */
  it.each([
    'аda@one.test',
    'ada@оne.test',
    'ada\u200b@one.test',
    'ada@one.test\u0000',
    'ada@one.test@evil.test',
    'ada+x@one.test',
    'a.da@one.test',
    'ada@sub.one.test',
    'ada@one.test.evil.test',
    '"ada"@one.test',
    'ada@evilone.test',
  ])('finishSignIn does not link %j to the account of ada@one.test', async (email) => {
    const session = await signIn(verified('mallory', email)).catch(() => null);
    expect(session?.userId).not.toBe(admin.userId);
    const { rows } = await database.pool.query('SELECT id FROM user_identities WHERE user_id = $1', [
      admin.userId,
    ]);
    expect(rows).toEqual([]);
  });

  it.each<[string, User]>([
    ['an email that is not verified', { email_verified: false }],
    ['an email without the claim email_verified', { email_verified: undefined }],
    ['an email whose claim email_verified is a string', { email_verified: 'false' }],
    ['an email whose claim email_verified is an object', { email_verified: {} }],
  ])('finishSignIn does not link %s until an administrator confirms it', async (_, claims) => {
    const attempt = () => signIn({ ...verified('ada-1', 'ada@one.test'), ...claims });
    await expect(attempt()).rejects.toMatchObject({
      status: 403,
      detail: expect.stringContaining('confirm'),
    });
    await expect(attempt()).rejects.toMatchObject({ status: 403 });
    expect(await countSessions()).toBe(0);
    const [waiting, ...others] = await console.as(operator).listUserIdentities({ query: {} });
    expect(others).toEqual([]);
    expect(waiting).toMatchObject({ user_id: admin.userId, subject: 'ada-1', confirmed_at: null });
    await console.as(operator).confirmUserIdentity({ params: { id: waiting?.id ?? 0 } });
    expect((await attempt()).userId).toBe(admin.userId);
  });

  it('finishSignIn does not link an account by an email of an unconfirmed domain', async () => {
    const eve = await addPerson(database.pool, tenantId, 'user', 'eve@elsewhere.test');
    await expect(signIn(verified('eve-1', 'eve@elsewhere.test'))).rejects.toMatchObject({ status: 403 });
    await console.as(admin).addDomain({ body: { domain: 'elsewhere.test' } });
    await expect(signIn(verified('eve-2', 'eve@elsewhere.test'))).rejects.toMatchObject({ status: 403 });
    const [domain] = await console.as(admin).listDomains();
    expect(domain).toMatchObject({ domain: 'elsewhere.test', confirmed_at: null });
    await console.as(operator).confirmDomain({ params: { id: domain?.id ?? 0 } });
    expect((await signIn(verified('eve-3', 'eve@elsewhere.test'))).userId).toBe(eve.userId);
  });

  it('finishSignIn never links a super administrator by email', async () => {
    await expect(signIn(verified('root-1', 'root@one.test'))).rejects.toMatchObject({ status: 403 });
    const [waiting] = await console.as(admin).listUserIdentities({ query: {} });
    const confirm = (by: Principal) =>
      console.as(by).confirmUserIdentity({ params: { id: waiting?.id ?? 0 } });
    await expect(confirm(admin)).rejects.toMatchObject({ status: 403 });
    await confirm(operator);
    expect((await signIn(verified('root-1', 'root@one.test'))).userId).toBe(operator.userId);
    expect(await roleOf(operator.userId)).toBe('super_admin');
  });

  it('finishSignIn does not sign in a super administrator by a link that was created from an email', async () => {
    await signIn(verified('ada-1', 'ada@one.test'));
    const { userId: maraId } = await signIn(verified('mara-1', 'mara@one.test'));
    for (const [id, subject] of [
      [admin.userId, 'ada-1'],
      [maraId, 'mara-1'],
    ] as const) {
      await setRole(id, 'super_admin');
      const attempt = () => signIn(verified(subject, 'any@one.test'));
      await expect(attempt()).rejects.toMatchObject({
        status: 403,
        detail: expect.stringContaining('confirm'),
      });
      const [waiting] = await console.as(operator).listUserIdentities({ query: {} });
      expect(waiting).toMatchObject({ user_id: id, confirmed_at: null });
      const params = { id: waiting?.id ?? 0 };
      const ben = { ...admin, userId: 2_147_483_647, role: 'admin' as const };
      await expect(console.as(ben).confirmUserIdentity({ params })).rejects.toMatchObject({ status: 403 });
      expect(await console.as(operator).confirmUserIdentity({ params })).toMatchObject({
        confirmed_at: expect.any(String),
      });
      expect((await attempt()).userId).toBe(id);
    }
  });

  it('finishSignIn does not sign in a super administrator by a link that a tenant administrator confirmed before the promotion', async () => {
    const mara = await addPerson(database.pool, tenantId, 'user', 'mara@one.test');
    const attempt = () => signIn(verified('planted', 'mara@one.test', { email_verified: false }));
    await expect(attempt()).rejects.toMatchObject({ status: 403 });
    const [planted] = await console.as(admin).listUserIdentities({ query: {} });
    const confirm = (by: Principal) =>
      console.as(by).confirmUserIdentity({ params: { id: planted?.id ?? 0 } });
    await confirm(admin);
    expect((await attempt()).userId).toBe(mara.userId);
    await setRole(mara.userId, 'super_admin');
    await expect(attempt()).rejects.toMatchObject({
      status: 403,
      detail: expect.stringContaining('confirm'),
    });
    expect(await console.as(operator).listUserIdentities({ query: {} })).toMatchObject([
      { user_id: mara.userId, confirmed_at: null },
    ]);
    await expect(confirm(admin)).rejects.toMatchObject({ status: 403 });
    await confirm(operator);
    expect((await attempt()).userId).toBe(mara.userId);
  });

  it('finishSignIn keeps only the newest unconfirmed link of a user at a provider, and stores whether its email is verified', async () => {
    for (const subject of ['x-1', 'x-2', 'x-3'])
      await expect(
        signIn(verified(subject, 'ada@one.test', { email_verified: false })),
      ).rejects.toMatchObject({ status: 403 });
    const list = () => console.as(operator).listUserIdentities({ query: { user_id: admin.userId } });
    expect(await list()).toMatchObject([{ subject: 'x-3', is_email_verified: false, confirmed_at: null }]);
    await signIn(verified('ada-1', 'ada@one.test'));
    expect(await list()).toMatchObject([
      { subject: 'x-3', confirmed_at: null },
      { subject: 'ada-1', is_email_verified: true, confirmed_at: expect.any(String) },
    ]);
  });

  it('finishSignIn does not link an account when another subject of the provider takes over its email', async () => {
    await signIn(verified('ada-1', 'ada@one.test'));
    await expect(signIn(verified('mallory', 'ada@one.test'))).rejects.toMatchObject({ status: 403 });
    const { userId } = await signIn(verified('ben-1', 'ben@one.test'));
    expect((await signIn(verified('ben-1', 'ada@one.test'))).userId).toBe(userId);
  });

  it('finishSignIn treats the same subject at two providers as different users', async () => {
    await signIn(verified('same', 'ada@one.test'));
    const evil = await startLyingOpenIdProvider();
    const body = { issuer: evil.issuer, client_id: 'sluice', client_secret: evil.clientSecret, name: 'Evil' };
    const second = await console.as(operator).createIdentityProvider({ body });
    const { authorization_url: url, secret } = await console.as().startSignIn({
      body: { identity_provider_id: second.id },
    });
    evil.user = { sub: 'same', email: 'ada@one.test' };
    const finish = console
      .as()
      .finishSignIn({ body: { secret, response: evil.authorize(url), callback: callbackOf(second) } });
    await expect(finish).rejects.toMatchObject({ status: 403 });
    await evil.close();
  });

  it('finishSignIn does not reveal or link accounts of another tenant', async () => {
    const two = await addTenant(database.pool, 'Two');
    const stranger = await addPerson(database.pool, two, 'user', 'zoe@two.test');
    await console.as({ ...operator, tenantId: two }).addDomain({ body: { domain: 'two.test' } });
    const explain = (user: User) => signIn(user).then(String, ({ detail }: { detail: string }) => detail);
    for (const claims of [{}, { email_verified: false }]) {
      const known = await explain(verified('zoe', 'zoe@two.test', claims));
      expect(known).toBe(await explain(verified('nobody', 'nobody@two.test', claims)));
    }
    // Add an account of another tenant with an email in this tenant's domain, created before the domain was
    // confirmed.
    await addPerson(database.pool, two, 'user', 'yan@one.test');
    const unverified = { email_verified: false };
    const known = await explain(verified('yan', 'yan@one.test', unverified));
    expect(known).toBe(await explain(verified('nobody', 'nobody@one.test', unverified)));
    expect(await explain(verified('yan', 'yan@one.test'))).toContain('You have no account here');
    const { rows } = await database.pool.query('SELECT id FROM user_identities WHERE user_id = $1', [
      stranger.userId,
    ]);
    expect(rows).toEqual([]);
  });

  it('deleteUserIdentity ends the sessions that were opened with the identity', async () => {
    await signIn(verified('ada-1', 'ada@one.test'));
    const [identity] = await console.as(operator).listUserIdentities({ query: {} });
    await console.as(operator).deleteUserIdentity({ params: { id: identity?.id ?? 0 } });
    const { rows } = await database.pool.query('SELECT id FROM sessions WHERE ended_at IS NULL');
    expect(rows).toEqual([]);
  });

  it('finishSignIn rejects an inactive account', async () => {
    await signIn(verified('ada-1', 'ada@one.test'));
    await database.pool.query('UPDATE users SET is_active = false WHERE id = $1', [admin.userId]);
    await expect(signIn(verified('ada-1', 'ada@one.test'))).rejects.toMatchObject({ status: 403 });
  });
});

describe('a user without an account', () => {
  it.each<[string, User]>([
    ['without an email', { sub: 'x' }],
    ['with an email that is not verified', { sub: 'x', email: 'x@one.test', email_verified: false }],
    ['with an email of another domain', verified('x', 'x@elsewhere.test')],
    ['with an email that is an array', verified('x', 'x@one.test', { email: ['x@one.test'] })],
  ])('finishSignIn adds no account %s', async (_, user) => {
    await expect(signIn(user)).rejects.toMatchObject({ status: 403 });
    expect(await emails()).toEqual(['root@one.test', 'ada@one.test']);
  });

  it('finishSignIn adds accounts only within the seats of the plan', async () => {
    // The plan has two free seats for users, and each new account uses one.
    await database.pool.query('UPDATE tenants SET user_limit = 2 WHERE id = $1', [tenantId]);
    const names = ['a', 'b', 'c', 'd'];
    const outcomes: string[] = [];
    for (const name of names) {
      const outcome = await signIn(verified(name, `${name}@one.test`)).then(
        () => 'added',
        (error: Error) => error.message,
      );
      outcomes.push(outcome);
    }
    expect(outcomes.filter((one) => one === 'added')).toHaveLength(2);
    expect(outcomes[3]).toContain('limit reached');
  });

  it('finishSignIn adds only invited users, with the role of the invitation, if the policy requires an invitation', async () => {
    await setPolicy({ new_accounts: 'invited' });
    await expect(signIn(verified('mara', 'mara@one.test'))).rejects.toMatchObject({
      status: 403,
      detail: expect.stringContaining('invite'),
    });
    await database.pool.query(
      `WITH mail AS (INSERT INTO mails (tenant_id, to_address, subject, body, action, opens_role_id, status, expires_at)
         VALUES ($1, 'mara@one.test', '', '', '', 2, 'held', now()) RETURNING id)
       INSERT INTO invitations (tenant_id, email, role_id, token_hash, invited_by, invited_by_name, mail_id, expires_at)
       SELECT $1, 'Mara@one.test', 2, 'x', $2, 'Root', id, now() + interval '1 day' FROM mail`,
      [tenantId, operator.userId],
    );
    const { userId } = await signIn(verified('mara', 'mara@one.test'));
    expect(await roleOf(userId)).toBe('admin');
    const { rows } = await database.pool.query('SELECT accepted_by FROM invitations');
    expect(rows).toEqual([{ accepted_by: userId }]);
    // The mapping does not lower the role, because an administrator assigned it.
    await signIn(verified('mara', 'mara@one.test'));
    expect(await roleOf(userId)).toBe('admin');
  });

  it('finishSignIn adds no account to a suspended tenant', async () => {
    await database.pool.query("UPDATE tenants SET status = 'suspended' WHERE id = $1", [tenantId]);
    await expect(signIn(verified('mara', 'mara@one.test'))).rejects.toMatchObject({ status: 403 });
  });

  it.each(['<b>Mara</b>\nBcc: x', 'see https://evil.test/now', 'x'.repeat(300), '', 7])(
    'finishSignIn replaces the name %j with the mailbox, since it is not a plain line',
    async (name) => {
      const { userId } = await signIn(verified('mara', 'mara@one.test', { name }));
      const { rows } = await database.pool.query<{ name: string }>('SELECT name FROM users WHERE id = $1', [
        userId,
      ]);
      expect(rows).toEqual([{ name: 'mara' }]);
    },
  );

  it('finishSignIn counts the email as verified without a claim only if the provider is trusted', async () => {
    const entra = { sub: 'mara', email: 'mara@one.test' };
    await expect(signIn(entra)).rejects.toMatchObject({ status: 403 });
    await change({ trusts_emails: true });
    await expect(signIn({ ...entra, email_verified: false })).rejects.toMatchObject({ status: 403 });
    await signIn(entra);
    expect(await emails()).toContain('mara@one.test');
  });
});

describe('role and team mapping', () => {
  const leads = (email: string, groups: unknown = ['leads']) => verified(email, email, { groups });

  it('finishSignIn raises and lowers the role according to the mapping', async () => {
    await change({ role_map: { leads: 'admin' } });
    const { userId } = await signIn(leads('mara@one.test'));
    expect(await roleOf(userId)).toBe('admin');
    await signIn(leads('mara@one.test', []));
    expect(await roleOf(userId)).toBe('user');
    await signIn(leads('mara@one.test'));
    expect(await roleOf(userId)).toBe('admin');
    const [identity] = await console.as(operator).listUserIdentities({ query: { user_id: userId } });
    expect(identity).toMatchObject({ is_role_mapped: true, mapped_role: 'admin' });
  });

  it('finishSignIn keeps a role that an administrator assigned, higher or lower than the mapped one', async () => {
    await change({ role_map: { leads: 'admin' } });
    const { userId } = await signIn(leads('mara@one.test', []));
    await setRole(userId, 'admin');
    await signIn(leads('mara@one.test', []));
    expect(await roleOf(userId)).toBe('admin');
    const [identity] = await console.as(operator).listUserIdentities({ query: { user_id: userId } });
    expect(identity).toMatchObject({ is_role_mapped: false, mapped_role: null });

    const lead = await signIn(leads('ben@one.test'));
    await setRole(lead.userId, 'user');
    await signIn(leads('ben@one.test'));
    expect(await roleOf(lead.userId)).toBe('user');
  });

  it('finishSignIn assigns a linked user the mapped role, until an administrator assigns one', async () => {
    await change({ role_map: { leads: 'admin' } });
    const { userId } = await addPerson(database.pool, tenantId, 'user', 'mara@one.test');
    expect((await signIn(leads('mara@one.test'))).userId).toBe(userId);
    expect(await roleOf(userId)).toBe('admin');
    const users = createTestConsole(
      database.pool,
      usersRoutes,
      createUsersHandlers({ passwords: { hash: async (password) => password } }),
    );
    // Assign another role manually, then the first one again, which equals the mapped role.
    for (const role_id of [3, 2])
      await users({ principal: operator }).updateUser({ params: { id: userId }, body: { role_id } });
    await signIn(leads('mara@one.test', []));
    expect(await roleOf(userId)).toBe('admin');
  });

  it('finishSignIn keeps the role of an account as long as it is a break-glass account', async () => {
    await change({ role_map: { leads: 'admin' } });
    const { userId } = await signIn(leads('mara@one.test'));
    const others = [admin.userId];
    await setPolicy({ local_passwords: 'break_glass', break_glass_users: [...others, userId] });
    expect((await signIn(leads('mara@one.test', []))).userId).toBe(userId);
    expect(await roleOf(userId)).toBe('admin');
    await setPolicy({ break_glass_users: others });
    await signIn(leads('mara@one.test', []));
    expect(await roleOf(userId)).toBe('user');
  });

  it('finishSignIn keeps the role of the last administrator', async () => {
    await change({ role_map: { leads: 'admin' } });
    const { userId } = await signIn(leads('mara@one.test'));
    // The installation must keep a super administrator.
    await addPerson(database.pool, await addTenant(database.pool, 'Two'), 'super_admin', 'zoe@two.test');
    const setOthers = (isActive: boolean) =>
      database.pool.query('UPDATE users SET is_active = $1 WHERE tenant_id = $2 AND id <> $3', [
        isActive,
        tenantId,
        userId,
      ]);
    await setOthers(false);
    expect((await signIn(leads('mara@one.test', []))).userId).toBe(userId);
    expect(await roleOf(userId)).toBe('admin');
    await setOthers(true);
    await signIn(leads('mara@one.test', []));
    expect(await roleOf(userId)).toBe('user');
  });

  it('finishSignIn does not lower the role of an account that it links', async () => {
    await signIn(verified('ada-1', 'ada@one.test', { groups: [] }));
    expect(await roleOf(admin.userId)).toBe('admin');
  });

  it.each<unknown>(['super_admin', ['super_admin'], { role: 'super_admin' }, ['admin', 'root', '1']])(
    'finishSignIn assigns no role for the claim %j, which no rule contains',
    async (groups) => {
      const claims = { groups, role: 'super_admin', roles: ['super_admin'], is_admin: true, role_id: 1 };
      const { userId } = await signIn(verified('mallory', 'mallory@one.test', claims));
      expect(await roleOf(userId)).toBe('user');
    },
  );

  it('updateIdentityProvider rejects a mapping to the role of a super administrator', async () => {
    await expect(change({ role_map: { leads: 'super_admin' } as never })).rejects.toThrow('"role_map"');
    await expect(change({ default_role: 'super_admin' as never })).rejects.toThrow('"default_role"');
  });

  it('finishSignIn rejects users without a mapped role if there is no default role', async () => {
    await change({ role_map: { staff: 'user' }, default_role: null });
    await expect(signIn(leads('mara@one.test'))).rejects.toMatchObject({
      status: 403,
      detail: expect.stringContaining('groups'),
    });
    const { userId } = await signIn(leads('mara@one.test', 'staff'));
    expect(await roleOf(userId)).toBe('user');
    await expect(signIn(leads('mara@one.test', []))).rejects.toMatchObject({ status: 403 });
  });

  it('finishSignIn reads a nested claim', async () => {
    await change({ role_map: { leads: 'admin' }, role_claim: 'realm_access.roles' });
    const { userId } = await signIn(verified('m', 'mara@one.test', { realm_access: { roles: ['leads'] } }));
    expect(await roleOf(userId)).toBe('admin');
  });

  it('finishSignIn adds and removes the teams of the mapping and keeps those that an administrator assigned', async () => {
    const { rows } = await database.pool.query<{ id: number }>(
      "INSERT INTO teams (tenant_id, name) VALUES ($1, 'One'), ($1, 'Two'), ($1, 'Three') RETURNING id",
      [tenantId],
    );
    const [one = 0, two = 0, three = 0] = rows.map(({ id }) => id);
    await change({ team_map: { a: 'one', b: 'Two' } });
    const teamsOf = async (userId: number) => {
      const { rows: found } = await database.pool.query<{ team_id: number }>(
        'SELECT team_id FROM team_members WHERE user_id = $1 AND is_active ORDER BY team_id',
        [userId],
      );
      return found.map(({ team_id: id }) => id);
    };
    const { userId } = await signIn(leads('mara@one.test', ['a', 'b']));
    expect(await teamsOf(userId)).toEqual([one, two]);
    await database.pool.query('INSERT INTO team_members (tenant_id, team_id, user_id) VALUES ($1, $2, $3)', [
      tenantId,
      three,
      userId,
    ]);
    await signIn(leads('mara@one.test', ['b']));
    expect(await teamsOf(userId)).toEqual([two, three]);
    await signIn(leads('mara@one.test', []));
    expect(await teamsOf(userId)).toEqual([three]);
    // A manually assigned membership is kept, even if the mapping includes the team.
    await change({ team_map: { a: 'Three' } });
    await signIn(leads('mara@one.test', ['a']));
    await signIn(leads('mara@one.test', []));
    expect(await teamsOf(userId)).toEqual([three]);
  });

  it('finishSignIn rejects a mapped role if the plan has no free seat for it', async () => {
    await database.pool.query('UPDATE tenants SET admin_limit = 1 WHERE id = $1', [tenantId]);
    await change({ role_map: { leads: 'admin' } });
    await expect(signIn(leads('mara@one.test'))).rejects.toMatchObject({
      status: 409,
      detail: expect.stringContaining('limit reached'),
    });
  });
});

describe('a shared provider', () => {
  it('finishSignIn finds the tenant by the confirmed domain of the email', async () => {
    const two = await addTenant(database.pool, 'Two');
    await console.as({ ...operator, tenantId: two }).addDomain({ body: { domain: 'two.test' } });
    await console
      .as(operator)
      .updateIdentityProvider({ params: { id: provider.id }, body: { is_shared: true } });
    const { userId } = await signIn(verified('zoe', 'zoe@two.test'));
    const { rows } = await database.pool.query('SELECT tenant_id FROM users WHERE id = $1', [userId]);
    expect(rows).toEqual([{ tenant_id: two }]);
    await expect(signIn(verified('eve', 'eve@elsewhere.test'))).rejects.toMatchObject({
      status: 403,
    });
  });

  it('a provider that is no longer shared does not sign in users of other tenants, and their sessions end', async () => {
    const two = await addTenant(database.pool, 'Two');
    await console.as({ ...operator, tenantId: two }).addDomain({ body: { domain: 'two.test' } });
    const share = (is_shared: boolean) =>
      console.as(operator).updateIdentityProvider({ params: { id: provider.id }, body: { is_shared } });
    await share(true);
    const zoe = verified('zoe', 'zoe@two.test', { groups: ['planted'] });
    const { userId } = await signIn(zoe);
    await signIn(verified('ada-1', 'ada@one.test'));
    await share(false);
    const { rows } = await database.pool.query(
      'SELECT user_id, ended_at IS NOT NULL AS "hasEnded" FROM sessions ORDER BY created_at',
    );
    expect(rows).toEqual([
      { user_id: userId, hasEnded: true },
      { user_id: admin.userId, hasEnded: false },
    ]);
    // The administrators of the provider's tenant can now change its mapping.
    await console.as(admin).updateIdentityProvider({
      params: { id: provider.id },
      body: { role_map: { planted: 'admin' } },
    });
    await expect(signIn(zoe)).rejects.toMatchObject({
      status: 403,
      detail: expect.stringContaining('You have no account here'),
    });
    expect(await roleOf(userId)).toBe('user');
    expect((await signIn(verified('ada-1', 'ada@one.test'))).userId).toBe(admin.userId);
    await share(true);
    expect((await signIn(verified('zoe', 'zoe@two.test'))).userId).toBe(userId);
  });

  it('updateIdentityProvider lets only a super administrator share a provider or change a shared one', async () => {
    const share = (by: Principal, is_shared: boolean) =>
      console.as(by).updateIdentityProvider({ params: { id: provider.id }, body: { is_shared } });
    await expect(share(admin, true)).rejects.toMatchObject({ status: 403 });
    await share(operator, true);
    await expect(share(admin, false)).rejects.toMatchObject({ status: 403 });
    const params = { id: provider.id };
    await expect(console.as(admin).deleteIdentityProvider({ params })).rejects.toMatchObject({ status: 403 });
  });
});
