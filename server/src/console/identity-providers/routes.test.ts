import { type IdentityProvider, updateIdentityProviderBody } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Principal } from '#domain/principal.ts';
import { createKeyring } from '#platform/keyring.ts';
import { clientSecretPlace, openSecret } from '#platform/seal-secret.ts';
import { addPerson, addTenant } from '#test/console/console.ts';
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
let tenantId: number;
let operator: Principal;
let admin: Principal;
let stranger: Principal;

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
  openid.lie = {};
  tenantId = await addTenant(database.pool, 'One');
  operator = await addPerson(database.pool, tenantId, 'super_admin', 'root@one.test');
  admin = await addPerson(database.pool, tenantId, 'admin', 'ada@one.test');
  stranger = await addPerson(database.pool, await addTenant(database.pool, 'Two'), 'admin', 'zoe@two.test');
});

const create = (by = admin, more: object = {}) =>
  console.as(by).createIdentityProvider({ body: { issuer: openid.issuer, client_id: 'sluice', ...more } });

describe('identity providers', () => {
  it('createIdentityProvider accepts only an issuer and a client id, and derives the name from the host', async () => {
    expect(await create()).toMatchObject({
      name: '127.0.0.1',
      issuer: openid.issuer,
      has_client_secret: false,
      default_role: 'user',
      kind: 'oidc',
      role_map: {},
      team_map: {},
      email_domains: [],
      creates_users: true,
      is_enabled: true,
      is_shared: false,
      redirect_uri: expect.stringMatching(
        /^https:\/\/sluice\.one\.test\/api\/v1\/auth\/oidc\/\d+\/callback$/,
      ),
      backchannel_logout_uri: expect.stringMatching(
        /^https:\/\/sluice\.one\.test\/api\/v1\/auth\/backchannel-logout\/\d+$/,
      ),
    });
  });

  it.each(['/', '/.well-known/openid-configuration'])(
    'createIdentityProvider accepts an issuer that ends with %s and stores the spelling of the provider',
    async (end) => {
      expect(await create(admin, { issuer: openid.issuer + end })).toMatchObject({ issuer: openid.issuer });
    },
  );

  it('createIdentityProvider encrypts the client secret and never returns it', async () => {
    const provider = await create(admin, { client_secret: 'top-secret-value' });
    const listed = await console.as(admin).listIdentityProviders();
    expect(JSON.stringify([provider, listed])).not.toContain('top-secret-value');
    const { rows } = await database.pool.query<{ sealed: Buffer }>(
      'SELECT sealed_client_secret AS sealed FROM identity_providers',
    );
    const sealed = rows[0]?.sealed ?? Buffer.alloc(0);
    expect(
      openSecret(createKeyring('test').sealingKey, clientSecretPlace(tenantId, provider.id), sealed),
    ).toBe('top-secret-value');
    const { rows: entries } = await database.pool.query(
      "SELECT after FROM audit_entries WHERE object_type = 'identity_provider'",
    );
    expect(entries.length).toBeGreaterThan(0);
    expect(JSON.stringify(entries)).not.toContain(sealed.toString('hex'));
  });

  it('updateIdentityProvider requires the client secret again for another issuer', async () => {
    const provider = await create(admin, { client_secret: 'top-secret-value' });
    const evil = await startLyingOpenIdProvider();
    const update = (body: object) =>
      console
        .as(admin)
        .updateIdentityProvider({ params: { id: provider.id }, body: { issuer: evil.issuer, ...body } });
    await expect(update({})).rejects.toMatchObject({
      status: 422,
      detail: [{ loc: ['body', 'client_secret'] }],
    });
    expect(await update({ client_secret: 'another' })).toMatchObject({ issuer: evil.issuer });
    await evil.close();
  });

  it('updateIdentityProvider changes a provider that is down, unless its issuer changes', async () => {
    const provider = await create();
    await console.close();
    console = createSignInConsole(database);
    openid.lie = {
      answers: { '/.well-known/openid-configuration': (response) => response.writeHead(503).end() },
    };
    const update = (body: object) =>
      console.as(admin).updateIdentityProvider({ params: { id: provider.id }, body });
    expect(await update({ name: 'Renamed', issuer: openid.issuer })).toMatchObject({ name: 'Renamed' });
    await expect(update({ issuer: `${openid.issuer}/other` })).rejects.toMatchObject({ status: 422 });
  });

  it('updateIdentityProvider rejects teams of another tenant', async () => {
    const provider = await create();
    await database.pool.query("INSERT INTO teams (tenant_id, name) VALUES ($1, 'Two')", [stranger.tenantId]);
    const body = { team_map: { staff: 'Two' } };
    const call = console.as(admin).updateIdentityProvider({ params: { id: provider.id }, body });
    await expect(call).rejects.toMatchObject({ status: 422, detail: [{ loc: ['body', 'team_map'] }] });
  });

  it('createIdentityProvider rejects a name that only differs in case', async () => {
    await create(admin, { name: 'Acme' });
    await expect(create(admin, { name: 'ACME' })).rejects.toMatchObject({
      status: 422,
      detail: [{ loc: ['body', 'name'] }],
    });
  });

  it('createIdentityProvider gives each provider a separate redirect URI, which sharing the provider does not change', async () => {
    const first = await create(admin, { callback_key: 'chosenbefore' });
    expect(first.redirect_uri).toBe(
      `https://sluice.one.test/api/v1/auth/oidc/${tenantId}-chosenbefore/callback`,
    );
    const taken = create(admin, { name: 'Second', callback_key: 'chosenbefore' });
    await expect(taken).rejects.toMatchObject({ status: 422, detail: [{ loc: ['body', 'callback_key'] }] });
    expect((await create(admin, { name: 'Third' })).redirect_uri).not.toBe(first.redirect_uri);
    const foreign = await create(stranger, { callback_key: 'chosenbefore' });
    expect(foreign.redirect_uri).not.toBe(first.redirect_uri);
    const shared = await console
      .as(operator)
      .updateIdentityProvider({ params: { id: first.id }, body: { is_shared: true } });
    expect(shared.redirect_uri).toBe(first.redirect_uri);
  });

  it.each(['email profile', 'openid  email', 'openid "x"', ''])(
    'updateIdentityProviderBody rejects the scopes %j',
    (scopes) => {
      expect(updateIdentityProviderBody.safeParse({ scopes }).success).toBe(false);
    },
  );

  it("identity provider routes return 404 for another tenant's provider", async () => {
    const { id } = await create();
    const as = console.as(stranger);
    const missing = { status: 404, detail: 'Identity provider not found' };
    await expect(as.updateIdentityProvider({ params: { id }, body: { name: 'x' } })).rejects.toMatchObject(
      missing,
    );
    await expect(as.deleteIdentityProvider({ params: { id } })).rejects.toMatchObject(missing);
    await expect(as.testIdentityProvider({ params: { id } })).rejects.toMatchObject(missing);
    expect(await as.listIdentityProviders()).toEqual([]);
  });
});

describe('the sessions of a provider', () => {
  const signIn = async (at: IdentityProvider, email: string) => {
    const { authorization_url: url, secret } = await console
      .as()
      .startSignIn({ body: { identity_provider_id: at.id } });
    openid.user = { sub: email, email, email_verified: true };
    await console
      .as()
      .finishSignIn({ body: { secret, response: openid.authorize(url), callback: callbackOf(at) } });
  };
  const countLive = async () => {
    const { rows } = await database.pool.query('SELECT id FROM sessions WHERE ended_at IS NULL');
    return rows.length;
  };

  it.each<[string, (params: { id: number }) => Promise<unknown>]>([
    ['deleteIdentityProvider', (params) => console.as(operator).deleteIdentityProvider({ params })],
    [
      'updateIdentityProvider with is_enabled false',
      (params) => console.as(operator).updateIdentityProvider({ params, body: { is_enabled: false } }),
    ],
  ])('%s ends the sessions that the provider opened, in all tenants, and no others', async (_, end) => {
    const provider = await setUpProvider(console, operator, openid, 'one.test');
    const { id } = provider;
    const body = { issuer: openid.issuer, client_id: openid.clientId, name: 'Second' };
    const other = await console.as(operator).createIdentityProvider({ body });
    await console
      .as({ ...operator, tenantId: stranger.tenantId })
      .addDomain({ body: { domain: 'two.test' } });
    await console.as(operator).updateIdentityProvider({ params: { id }, body: { is_shared: true } });
    await signIn(provider, 'mara@one.test');
    await signIn(provider, 'yan@two.test');
    await signIn(other, 'ben@one.test');
    await console.as(operator).updateIdentityProvider({ params: { id }, body: { name: 'Renamed' } });
    expect(await countLive()).toBe(3);
    await end({ id });
    expect(await countLive()).toBe(1);
  });
});

describe('the test of a provider', () => {
  async function test(user: object, by = operator) {
    const [provider] = await console.as(operator).listIdentityProviders();
    const started = await console.as(by).testIdentityProvider({ params: { id: provider?.id ?? 0 } });
    openid.user = { ...user };
    return {
      secret: started.secret,
      response: openid.authorize(started.authorization_url),
      callback: provider ? callbackOf(provider) : '',
    };
  }
  const countRows = async () => {
    const { rows } = await database.pool.query(
      'SELECT (SELECT count(*) FROM users) AS users, (SELECT count(*) FROM sessions) AS sessions, (SELECT count(*) FROM user_identities) AS identities',
    );
    return rows[0];
  };

  it('finishIdentityProviderTest returns the claims and what they map to, and changes nothing', async () => {
    const provider = await setUpProvider(console, operator, openid, 'one.test');
    const { rows } = await database.pool.query<{ id: number }>(
      "INSERT INTO teams (tenant_id, name) VALUES ($1, 'Leads') RETURNING id",
      [tenantId],
    );
    const team_id = rows[0]?.id ?? 0;
    const body = { role_map: { leads: 'admin' as const }, team_map: { leads: 'Leads' } };
    await console.as(operator).updateIdentityProvider({ params: { id: provider.id }, body });
    const before = await countRows();
    const user = { sub: 'mara', email: 'Mara@One.test', email_verified: true, groups: ['leads', 'staff'] };
    const result = await console.as(operator).finishIdentityProviderTest({ body: await test(user) });
    expect(result).toMatchObject({
      claims: { iss: openid.issuer, sub: 'mara' },
      email: 'mara@one.test',
      is_email_verified: true,
      groups: ['leads', 'staff'],
      role: 'admin',
      team_ids: [team_id],
      is_accepted: true,
      outcome: 'Adds an account with the role admin.',
    });
    expect(await countRows()).toEqual(before);
  });

  it('finishIdentityProviderTest explains why a sign-in would be rejected', async () => {
    await setUpProvider(console, operator, openid, 'one.test');
    const body = await test({ sub: 'eve', email: 'eve@elsewhere.test', email_verified: true });
    expect(await console.as(operator).finishIdentityProviderTest({ body })).toMatchObject({
      is_accepted: false,
      outcome: 'The domain elsewhere.test is not confirmed for your organization.',
    });
  });

  it('finishIdentityProviderTest accepts only a test of the caller, and finishSignIn accepts no test', async () => {
    await setUpProvider(console, operator, openid, 'one.test');
    const user = { sub: 'mara', email: 'mara@one.test', email_verified: true };
    for (const by of [admin, stranger]) {
      const call = console.as(by).finishIdentityProviderTest({ body: await test(user) });
      await expect(call).rejects.toMatchObject({ status: 400 });
    }
    await expect(console.as().finishSignIn({ body: await test(user) })).rejects.toMatchObject({
      status: 400,
    });
    expect(await countRows()).toMatchObject({ sessions: '0' });
  });

  it('finishIdentityProviderTest does not accept the response to a sign-in', async () => {
    const provider = await setUpProvider(console, operator, openid, 'one.test');
    const { authorization_url: url, secret } = await console.as().startSignIn({
      body: { identity_provider_id: provider.id },
    });
    const body = { secret, response: openid.authorize(url), callback: callbackOf(provider) };
    await expect(console.as(operator).finishIdentityProviderTest({ body })).rejects.toMatchObject({
      status: 400,
    });
  });
});

describe('getSignInOptions', () => {
  const options = (query: { email?: string; tenant?: string } = {}) =>
    console.as().getSignInOptions({ query });

  it('getSignInOptions returns the providers of the owner of a domain, of a sign-in link, and shared ones', async () => {
    const provider = await setUpProvider(console, operator, openid, 'one.test');
    const start_path = `/api/v1/auth/oidc/${provider.id}/start`;
    const offered = [{ id: provider.id, name: 'Acme directory', kind: 'oidc', start_path }];
    expect(await options({ email: 'Mara@ONE.test' })).toEqual({
      providers: offered,
      local_passwords: 'allowed',
      passkey_origin: 'https://sluice.one.test',
    });
    expect((await options({ tenant: 'one' })).providers).toEqual(offered);
    for (const query of [{}, { email: 'a@two.test' }, { tenant: 'two' }, { tenant: 'nobody' }])
      expect((await options(query)).providers).toEqual([]);
    await console
      .as(operator)
      .updateIdentityProvider({ params: { id: provider.id }, body: { is_shared: true } });
    expect((await options({ tenant: 'two' })).providers).toEqual(offered);
    await console
      .as(operator)
      .updateIdentityProvider({ params: { id: provider.id }, body: { is_enabled: false } });
    expect((await options({ email: '@one.test' })).providers).toEqual([]);
    const start = console.as().startSignIn({ body: { identity_provider_id: provider.id } });
    await expect(start).rejects.toMatchObject({ status: 404 });
  });

  it('getSignInOptions returns no providers for a domain that is not confirmed', async () => {
    await create();
    await console.as(admin).addDomain({ body: { domain: 'claimed.test' } });
    expect((await options({ email: 'a@claimed.test' })).providers).toEqual([]);
  });

  it('getSignInOptions returns the providers of the only tenant to everyone', async () => {
    const provider = await create();
    await database.pool.query('DELETE FROM users WHERE tenant_id <> $1', [tenantId]);
    await database.pool.query('DELETE FROM tenants WHERE id <> $1', [tenantId]);
    expect((await options()).providers).toMatchObject([{ id: provider.id }]);
  });
});

describe('domains', () => {
  it('a domain belongs to one tenant only, and no tenant can own the domain of a mail service', async () => {
    await console.as(operator).addDomain({ body: { domain: 'Acme.TEST' } });
    expect(await console.as(operator).listDomains()).toMatchObject([
      { domain: 'acme.test', confirmed_at: expect.any(String) },
    ]);
    await console.as(stranger).addDomain({ body: { domain: 'acme.test' } });
    const [claimed] = await console.as(stranger).listDomains();
    expect(claimed).toMatchObject({ confirmed_at: null });
    const params = { id: claimed?.id ?? 0 };
    await expect(console.as(operator).confirmDomain({ params })).rejects.toMatchObject({ status: 409 });
    const [owned] = await console.as(operator).listDomains();
    await console.as(operator).removeDomain({ params: { id: owned?.id ?? 0 } });
    expect(await console.as(operator).confirmDomain({ params })).toMatchObject({
      confirmed_at: expect.any(String),
    });
    await expect(console.as(operator).addDomain({ body: { domain: 'gmail.com' } })).rejects.toMatchObject({
      status: 422,
    });
  });
});
