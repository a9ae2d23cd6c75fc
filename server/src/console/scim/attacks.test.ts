import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { formatScimToken } from '#domain/scim-token.ts';
import { Turns } from '#platform/paced-work.ts';
import { password } from '#test/access/world.ts';
import { failingScimHandlers, startHttpServer } from '#test/console/console-server.ts';
import {
  createScimCaller,
  newAddress,
  type ScimCaller,
  type ScimServer,
  scimFailure,
  startScimServer,
} from '#test/console/scim-server.ts';

let server: ScimServer;
let idp: ScimCaller;
let foreign: ScimCaller;
let withRoles: ScimCaller;

beforeAll(async () => {
  server = await startScimServer();
  idp = await server.connect();
  foreign = await server.connect({ tenant: server.world.foreign });
  withRoles = await server.connect({ canAssignRoles: true });
});
afterAll(() => server.close());

const query = async (sql: string, values: unknown[] = []) =>
  (await server.world.pool.query(sql, values)).rows;
const addUser = async (caller: ScimCaller, fields: object = {}) =>
  (await caller.post('/Users', { userName: newAddress(), ...fields })).body;
const roleOf = async (id: string) =>
  (await query('SELECT name FROM roles WHERE id = (SELECT role_id FROM users WHERE id = $1)', [id]))[0].name;

describe('SCIM token of another tenant', () => {
  it('every SCIM method returns 404 for objects of another tenant', async () => {
    const user = await addUser(foreign);
    const group = (await foreign.post('/Groups', { displayName: 'Foreign group' })).body;
    const rename = [{ op: 'replace', path: 'displayName', value: 'Taken over' }];
    for (const place of [`/Users/${user.id}`, `/Groups/${group.id}`]) {
      const attempts = [
        idp.get(place),
        idp.put(place, { displayName: 'Taken over', userName: newAddress() }),
        idp.patch(place, rename),
        idp.delete(place),
      ];
      for (const answer of await Promise.all(attempts)) expect(answer).toMatchObject(scimFailure(404));
    }
    expect((await foreign.get(`/Users/${user.id}`)).body).toEqual(user);
    expect((await foreign.get(`/Groups/${group.id}`)).body).toEqual(group);
  });

  it('SCIM filters do not find objects of another tenant', async () => {
    const user = await addUser(foreign, { externalId: 'secret' });
    const filters = [`id eq "${user.id}"`, `userName eq "${user.userName}"`, 'externalId eq "secret"'];
    for (const filter of [...filters, `not (id eq "0") and ${filters[0]}`, `id eq "0" or ${filters[1]}`]) {
      const { body } = await idp.get(`/Users?filter=${encodeURIComponent(filter)}`);
      expect(body.totalResults, filter).toBe(0);
    }
    const { body } = await idp.get(`/Groups?filter=${encodeURIComponent(`members[value eq "${user.id}"]`)}`);
    expect(body.totalResults).toBe(0);
  });

  it.each(['add', 'replace'])('a user of another tenant cannot become a group member by %s', async (op) => {
    const user = await addUser(foreign);
    const group = (await idp.post('/Groups', { displayName: `Group of ${op}` })).body;
    const members = [{ value: user.id }];
    const answers = [
      await idp.patch(`/Groups/${group.id}`, [{ op, path: 'members', value: members }]),
      await idp.put(`/Groups/${group.id}`, { displayName: group.displayName, members }),
      await idp.post('/Groups', { displayName: `Another of ${op}`, members }),
    ];
    for (const answer of answers) expect(answer).toMatchObject(scimFailure(400, 'invalidValue'));
    expect(await query('SELECT * FROM team_members WHERE user_id = $1', [user.id])).toEqual([]);
  });
});

describe('a domain of another tenant', () => {
  it("SCIM cannot create or rename a user with an email in another tenant's domain", async () => {
    await query("INSERT INTO domains (tenant_id, name, confirmed_at) VALUES ($1, 'foreign.test', now())", [
      server.world.foreign.id,
    ]);
    const user = await addUser(idp);
    const userName = 'mara@foreign.test';
    const answers = [
      await idp.post('/Users', { userName }),
      await idp.put(`/Users/${user.id}`, { userName }),
      await idp.patch(`/Users/${user.id}`, [{ op: 'replace', path: 'userName', value: userName }]),
    ];
    for (const answer of answers) expect(answer).toMatchObject(scimFailure(400, 'invalidValue'));
    expect(await query('SELECT id FROM users WHERE email = $1', [userName])).toEqual([]);
    expect(await foreign.post('/Users', { userName })).toMatchObject({ status: 201 });
  });
});

describe('escalation by SCIM', () => {
  const admin = [{ value: 'admin' }];

  it('a SCIM token that may not assign roles creates and changes users without changing their role', async () => {
    const user = await addUser(idp, { roles: admin, userType: 'admin' });
    await idp.patch(`/Users/${user.id}`, [
      { op: 'add', path: 'roles', value: admin },
      { op: 'replace', value: { userType: 'admin', roles: ['super_admin'], role_id: 1, roleId: 1 } },
    ]);
    await idp.put(`/Users/${user.id}`, { userName: user.userName, roles: admin });
    expect(await roleOf(user.id)).toBe('user');
  });

  it('a SCIM token that may assign roles assigns admin, but never super_admin', async () => {
    const user = await addUser(withRoles, { roles: admin });
    expect(await roleOf(user.id)).toBe('admin');
    const highest = { roles: [{ value: 'super_admin' }] };
    expect(await withRoles.put(`/Users/${user.id}`, highest)).toMatchObject(scimFailure(403));
    const userName = newAddress();
    expect(await withRoles.post('/Users', { userName, userType: 'super_admin' })).toMatchObject(
      scimFailure(403),
    );
    expect(await query('SELECT * FROM users WHERE email = $1', [userName])).toEqual([]);
  });

  it('SCIM can read a super administrator, but not change, deactivate, rename or delete one', async () => {
    const id = await server.addUser(server.world.home, 'super_admin');
    expect((await withRoles.get(`/Users/${id}`)).body).toMatchObject({ roles: [{ value: 'super_admin' }] });
    const attempts = [
      await withRoles.patch(`/Users/${id}`, [{ op: 'replace', path: 'active', value: false }]),
      await withRoles.patch(`/Users/${id}`, [{ op: 'replace', path: 'userName', value: newAddress() }]),
      await withRoles.put(`/Users/${id}`, { roles: [{ value: 'user' }] }),
      await withRoles.delete(`/Users/${id}`),
    ];
    for (const answer of attempts) expect(answer).toMatchObject(scimFailure(403));
    expect(await roleOf(id)).toBe('super_admin');
  });

  it('SCIM cannot deactivate or delete the last active administrator of a tenant', async () => {
    await query(
      "UPDATE users SET is_active = false WHERE tenant_id = $1 AND role_id = (SELECT id FROM roles WHERE name <> 'user' AND roles.id = role_id)",
      [server.world.foreign.id],
    );
    const id = await server.addUser(server.world.foreign, 'admin');
    const deactivate = [{ op: 'replace', path: 'active', value: false }];
    expect(await foreign.patch(`/Users/${id}`, deactivate)).toMatchObject(scimFailure(409));
    expect(await foreign.delete(`/Users/${id}`)).toMatchObject(scimFailure(409));
  });

  it('a SCIM token is rejected with 401 by routes of the console and the gateway', async () => {
    const headers = { authorization: `Bearer ${withRoles.token}` };
    for (const path of ['/api/v1/admin/users', '/api/v1/models', '/api/v1/auth/me', '/api/v1/user/profile'])
      expect((await fetch(server.worker.origin + path, { headers })).status, path).toBe(401);
  });
});

describe('takeover of an account by SCIM', () => {
  const signIn = async (username: string) => {
    const body = new URLSearchParams({ username, password });
    return (await fetch(`${server.worker.origin}/api/v1/auth/login`, { method: 'POST', body })).status;
  };
  const versionOf = async (id: string) =>
    (await query('SELECT token_version FROM users WHERE id = $1', [id]))[0].token_version;

  const factorTables = ['totp_authenticators', 'passkeys', 'recovery_codes', 'user_identities'];
  async function addFactors(tenantId: number, id: string): Promise<void> {
    const values = [tenantId, id];
    await query(
      'INSERT INTO totp_authenticators (tenant_id, user_id, confirmed_at) VALUES ($1, $2, now())',
      values,
    );
    await query(
      `INSERT INTO passkeys (tenant_id, user_id, name, credential_id, public_key, sign_count)
       VALUES ($1, $2, 'Phone', gen_random_uuid(), '', 0)`,
      values,
    );
    await query(
      "INSERT INTO recovery_codes (tenant_id, user_id, code_hash_list) VALUES ($1, $2, '{abc}')",
      values,
    );
    await query('UPDATE users SET has_second_factor = true WHERE id = $1', [id]);
    await query(
      `WITH provider AS (
         INSERT INTO identity_providers (tenant_id, name, issuer, client_id)
         VALUES ($1, gen_random_uuid(), 'https://one.test', 'sluice') RETURNING id
       )
       INSERT INTO user_identities (tenant_id, user_id, identity_provider_id, issuer, subject, email, confirmed_at)
       SELECT $1, $2, id, 'https://one.test', 'former', 'former@one.test', now() FROM provider`,
      values,
    );
  }

  it('createScimUser restores a user without the password, sessions, reset links, keys, second factors and identities from before', async () => {
    const id = await server.addUser(server.world.home);
    const { userName } = (await idp.get(`/Users/${id}`)).body;
    expect(await signIn(userName)).toBe(200);
    await idp.delete(`/Users/${id}`);
    // Add a key from a time when an administrator had reactivated the user.
    await query(
      `INSERT INTO api_keys (tenant_id, user_id, name, key_hash, last4, scopes)
       VALUES ($1, $2, 'k', uuid_send(gen_random_uuid()), 'last', '{models}')`,
      [server.world.home.id, id],
    );
    await addFactors(server.world.home.id, id);
    const version = await versionOf(id);
    expect((await idp.post('/Users', { userName })).body).toMatchObject({ id, active: true });
    expect(await signIn(userName)).toBe(401);
    expect(await versionOf(id)).toBeGreaterThan(version);
    expect(await query('SELECT id FROM api_keys WHERE user_id = $1 AND revoked_at IS NULL', [id])).toEqual(
      [],
    );
    expect(await query('SELECT has_second_factor FROM users WHERE id = $1', [id])).toEqual([
      { has_second_factor: false },
    ]);
    for (const table of factorTables)
      expect(await query(`SELECT id FROM ${table} WHERE user_id = $1`, [id]), table).toEqual([]);
  });

  const renames: [string, (caller: ScimCaller, id: string, userName: string) => Promise<unknown>][] = [
    ['PUT', (caller, id, userName) => caller.put(`/Users/${id}`, { userName })],
    ...['add', 'replace', 'Replace'].flatMap((op): typeof renames => [
      [
        `${op} of userName`,
        (caller, id, value) => caller.patch(`/Users/${id}`, [{ op, path: 'userName', value }]),
      ],
      [
        `${op} without a path`,
        (caller, id, userName) => caller.patch(`/Users/${id}`, [{ op, value: { userName } }]),
      ],
    ]),
  ];
  const emailOf = async (id: string) => (await query('SELECT email FROM users WHERE id = $1', [id]))[0].email;

  it.each(renames)(
    'a SCIM token that may not assign roles cannot change the email of an administrator by %s',
    async (_, rename) => {
      const id = await server.addUser(server.world.home, 'admin');
      const address = await emailOf(id);
      expect(await rename(idp, id, newAddress())).toMatchObject({
        ...scimFailure(403),
        body: { detail: expect.stringContaining('may assign roles') },
      });
      expect(await emailOf(id)).toBe(address);
      expect(await versionOf(id)).toBe(1);
      expect(await rename(idp, id, address.toUpperCase())).toMatchObject({ status: 200 });
    },
  );

  it.each(renames)(
    'changing the email by %s ends sessions and reset links, unless only its case changes',
    async (_, rename) => {
      const accounts: [ScimCaller, 'user' | 'admin'][] = [
        [idp, 'user'],
        [withRoles, 'admin'],
      ];
      for (const [caller, role] of accounts) {
        const id = await server.addUser(server.world.home, role);
        await rename(caller, id, (await emailOf(id)).toUpperCase());
        expect(await versionOf(id)).toBe(1);
        const address = newAddress();
        expect(await rename(caller, id, address)).toMatchObject({ status: 200 });
        expect(await emailOf(id)).toBe(address);
        expect(await versionOf(id)).toBe(2);
      }
    },
  );
});

describe('limits of SCIM', () => {
  it('SCIM filters that are too long or too deep are rejected', async () => {
    const long = `userName eq "${'x'.repeat(4_000)}"`;
    const deep = `${'('.repeat(500)}active eq true${')'.repeat(500)}`;
    const wide = Array.from({ length: 200 }, () => 'active eq true').join(' or ');
    for (const filter of [long, deep, wide])
      expect(await idp.get(`/Users?filter=${encodeURIComponent(filter)}`)).toMatchObject(
        scimFailure(400, 'invalidFilter'),
      );
  });

  it('SCIM requests with too many operations or members are rejected', async () => {
    const group = (await idp.post('/Groups', { displayName: 'Bounded' })).body;
    const operation = { op: 'remove', path: 'members' };
    expect(
      await idp.patch(
        `/Groups/${group.id}`,
        Array.from({ length: 101 }, () => operation),
      ),
    ).toMatchObject(scimFailure(400, 'invalidSyntax'));
    const members = Array.from({ length: 20_001 }, (_, index) => ({ value: String(index + 1) }));
    expect(await idp.put(`/Groups/${group.id}`, { displayName: 'Bounded', members })).toMatchObject(
      scimFailure(400, 'invalidValue'),
    );
  });

  it('large bodies of different SCIM tokens from one IP take turns, and those of one token queue', async () => {
    const turns = new Turns();
    const take = vi.spyOn(turns, 'take');
    const http = await startHttpServer({
      turns,
      scim: {
        handlers: failingScimHandlers(),
        authenticate: async (token) => ({
          tokenId: Number(token),
          tokenName: 'test',
          tenantId: 1,
          canAssignRoles: false,
        }),
        publicUrl: 'http://localhost',
      },
    });
    const members = Array.from({ length: 20_000 }, (_, index) => ({ value: String(index) }));
    const callersOf = async (token: string) => {
      take.mockClear();
      await createScimCaller(http.origin, token).post('/Groups', { displayName: 'Large', members });
      return [...new Set(take.mock.calls.map(([caller]) => caller))];
    };
    const [one, same, other] = [await callersOf('1'), await callersOf('1'), await callersOf('2')];
    await http.close();
    expect(one).toHaveLength(1);
    expect(same).toEqual(one);
    expect(other).toHaveLength(1);
    expect(other).not.toEqual(one);
  });

  it('SCIM cannot create or activate more users than the plan has seats, even in concurrent requests', async () => {
    const { id: tenantId } = server.world.foreign;
    const [{ taken }] = await query(
      `SELECT count(*)::int AS taken FROM users JOIN roles ON roles.id = role_id
       WHERE tenant_id = $1 AND is_active AND roles.name = 'user'`,
      [tenantId],
    );
    await query('UPDATE tenants SET user_limit = $2 WHERE id = $1', [tenantId, taken + 1]);
    const tries = Array.from({ length: 8 }, () => foreign.post('/Users', { userName: newAddress() }));
    const answers = await Promise.all(tries);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(7);
    for (const answer of refused) {
      expect(answer).toMatchObject(scimFailure(403));
      expect(answer.body.detail).toContain('User limit reached');
    }
    const idle = await addUser(foreign, { active: false });
    const activate = [{ op: 'replace', path: 'active', value: true }];
    expect(await foreign.patch(`/Users/${idle.id}`, activate)).toMatchObject(scimFailure(403));
    await query('UPDATE tenants SET user_limit = NULL WHERE id = $1', [tenantId]);
    expect((await foreign.patch(`/Users/${idle.id}`, activate)).body.active).toBe(true);
  });

  it('createScimUser returns a 403 that names the limit of stored users', async () => {
    const { rows } = await server.world.pool.query(
      "UPDATE stored_bounds SET rows_max = 0, rows_per_user = 0 WHERE table_name = 'users' RETURNING table_name",
    );
    expect(rows).toHaveLength(1);
    const answer = await idp.post('/Users', { userName: newAddress() });
    await server.world.pool.query(
      "UPDATE stored_bounds SET rows_max = 1000000, rows_per_user = 10 WHERE table_name = 'users'",
    );
    expect(answer).toMatchObject(scimFailure(403));
    expect(answer.body.detail).toContain('Storage limit reached for users');
  });
});

describe('audit of SCIM', () => {
  it('the audit entry of each SCIM change names the token and the route, and no user', async () => {
    const user = await addUser(idp);
    const group = (await idp.post('/Groups', { displayName: 'Audited', members: [{ value: user.id }] })).body;
    await idp.patch(`/Users/${user.id}`, [{ op: 'replace', path: 'active', value: false }]);
    await idp.delete(`/Groups/${group.id}`);
    const [{ name }] = await query('SELECT name FROM scim_tokens WHERE right(name, 8) = $1', [
      idp.token.slice(-8),
    ]);
    const entries = await query(
      `SELECT action, object_type, actor_id, actor_name FROM audit_entries
       WHERE (object_type, object_id) IN (('user', $1), ('team', $2)) OR object_name LIKE 'Audited ·%' ORDER BY id`,
      [user.id, group.id],
    );
    const actor = { actor_id: null, actor_name: `SCIM token ${name}` };
    expect(entries).toEqual([
      { action: 'createScimUser', object_type: 'user', ...actor },
      { action: 'createScimGroup', object_type: 'team', ...actor },
      { action: 'createScimGroup', object_type: 'team_member', ...actor },
      { action: 'patchScimUser', object_type: 'user', ...actor },
      { action: 'deleteScimGroup', object_type: 'team', ...actor },
    ]);
  });
});

describe('invalid SCIM tokens', () => {
  it('expired, revoked and unknown SCIM tokens are rejected with the same response', async () => {
    const expired = await server.connect({ expiresIn: '-1 second' });
    const revoked = await server.connect();
    await query('UPDATE scim_tokens SET revoked_at = now() WHERE right(name, 8) = $1', [
      revoked.token.slice(-8),
    ]);
    const unknown = createScimCaller(server.worker.origin, `${idp.token.slice(0, -1)}!`);
    const answers = await Promise.all([expired, revoked, unknown].map((caller) => caller.get('/Users')));
    for (const answer of answers) expect(answer).toMatchObject(scimFailure(401));
    expect(new Set(answers.map(({ body }) => body.detail)).size).toBe(1);
  });

  it('many requests with an invalid SCIM token are rejected with 429, while a valid token still works from the same IP', async () => {
    const unknown = createScimCaller(server.worker.origin, formatScimToken(randomBytes(64)));
    let refused = await unknown.get('/Users');
    for (let tries = 0; tries < 110 && refused.status !== 429; tries++) refused = await unknown.get('/Users');
    expect(refused).toMatchObject(scimFailure(429));
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await idp.get('/Users?count=0')).status).toBe(200);
  });
});
