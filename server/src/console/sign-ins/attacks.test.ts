import type { IdentityProvider } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Principal } from '#domain/principal.ts';
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
let evil: LyingOpenIdProvider;
let provider: IdentityProvider;
let tenantId: number;
let operator: Principal;
let ada: Principal;

beforeAll(async () => {
  database = await createTestDatabase();
  [openid, evil] = await Promise.all([startLyingOpenIdProvider(), startLyingOpenIdProvider()]);
  console = createSignInConsole(database);
});
afterAll(async () => {
  await console.close();
  await Promise.all([openid.close(), evil.close()]);
  await database.close();
});

beforeEach(async () => {
  await emptyTables(database, 'tenants', 'login_attempts', 'outbound_counts');
  tenantId = await addTenant(database.pool, 'One', { userLimit: 20 });
  operator = await addPerson(database.pool, tenantId, 'super_admin', 'root@one.test');
  ada = await addPerson(database.pool, tenantId, 'admin', 'ada@one.test');
  provider = await setUpProvider(console, operator, openid, 'one.test');
});

type Claims = Readonly<Record<string, unknown>>;

async function signIn(
  claims: Claims,
  { at = openid, through = provider }: { at?: LyingOpenIdProvider; through?: IdentityProvider } = {},
): Promise<number | null> {
  const body = { identity_provider_id: through.id };
  const { authorization_url: url, secret } = await console.as().startSignIn({ body });
  at.user = claims;
  const response = at.authorize(url);
  const finished = { secret, response, callback: callbackOf(through) };
  try {
    const { access_token: token } = await console.as().finishSignIn({ body: finished });
    return (await console.openToken(token)).userId;
  } catch (error) {
    expect(error).toMatchObject({ status: 403 });
    return null;
  }
}

const adaAt = (sub: string): Claims => ({ sub, email: 'ada@one.test', email_verified: true });

describe('takeover of an account at an identity provider', () => {
  it('finishSignIn does not accept a known subject after the issuer of the provider changed', async () => {
    expect(await signIn(adaAt('ada-1'))).toBe(ada.userId);
    const params = { id: provider.id };
    const body = { issuer: evil.issuer, client_id: evil.clientId, client_secret: evil.clientSecret };
    await console.as(operator).updateIdentityProvider({ params, body });
    const claims = { sub: 'ada-1', email: 'mallory@evil.test', email_verified: true };
    expect(await signIn(claims, { at: evil })).toBeNull();
  });

  it('finishSignIn does not open an account of another tenant through a provider with the same issuer and subject', async () => {
    expect(await signIn(adaAt('ada-1'))).toBe(ada.userId);
    const foreignId = await addTenant(database.pool, 'Two', { userLimit: 5 });
    const eve = await addPerson(database.pool, foreignId, 'admin', 'eve@two.test');
    const { clientId: client_id, clientSecret: client_secret, issuer } = openid;
    const body = { issuer, client_id, client_secret, name: 'Same', trusts_emails: true };
    const through = await console.as(eve).createIdentityProvider({ body });
    expect(await signIn(adaAt('ada-1'), { through })).toBeNull();
    const { rows } = await database.pool.query('SELECT tenant_id FROM user_identities');
    expect(rows).toEqual([{ tenant_id: tenantId }]);
  });

  it.each(['ADA-É', 'Ada-é', 'ada-e\u0301', 'ada-é ', 'аda-é', 'ada-é\u200b', 'ａda-é', 'ada-e'])(
    'finishSignIn treats the subject %j as a different user from one that differs only by case or Unicode',
    async (subject) => {
      expect(await signIn(adaAt('ada-é'))).toBe(ada.userId);
      const other = { sub: subject, email: 'mallory@one.test', email_verified: true };
      expect(await signIn(other)).not.toBe(ada.userId);
      // A sign-in with the account's email also fails, because the account already has an identity at this provider.
      expect(await signIn(adaAt(`${subject}-2`))).toBeNull();
      expect(await signIn(adaAt('ada-é'))).toBe(ada.userId);
    },
  );

  it('finishSignIn keeps users in their own account after they change their email at the provider to that of another account', async () => {
    const mallory = { sub: 'mallory', email: 'mallory@one.test', email_verified: true };
    const id = await signIn(mallory);
    expect(id).not.toBeNull();
    for (const email of ['ada@one.test', 'root@one.test', 'ADA@one.test'])
      expect(await signIn({ ...mallory, email })).toBe(id);
    const { rows } = await database.pool.query('SELECT email FROM users ORDER BY id');
    expect(rows.map(({ email }) => email)).toEqual(['root@one.test', 'ada@one.test', 'mallory@one.test']);
  });
});

describe('escalation by claims', () => {
  it.each<[string, Claims]>([
    ['other claims than that of the mapping', { role: 'admin', roles: ['admin'], admin: true, tenant_id: 1 }],
    ['names of inherited properties', { groups: ['__proto__', 'constructor', 'toString', 'hasOwnProperty'] }],
    ['values that only look like those of a rule', { groups: ['Leads', 'leads ', 'lеads', ['leads'], null] }],
    ['a value in an object', { groups: { leads: true, name: 'leads' } }],
    ['a list in a text', { groups: 'staff,leads' }],
  ])('finishSignIn assigns the default role for %s', async (_, claims) => {
    const params = { id: provider.id };
    await console
      .as(operator)
      .updateIdentityProvider({ params, body: { role_claim: 'groups', role_map: { leads: 'admin' } } });
    const id = await signIn({ sub: 'mallory', email: 'mallory@one.test', email_verified: true, ...claims });
    const { rows } = await database.pool.query(
      'SELECT roles.name, tenant_id FROM users JOIN roles ON roles.id = role_id WHERE users.id = $1',
      [id],
    );
    expect(rows).toEqual([{ name: 'user', tenant_id: tenantId }]);
  });
});
