import { scimSchemas } from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

beforeAll(async () => {
  server = await startScimServer();
  idp = await server.connect();
  foreign = await server.connect({ tenant: server.world.foreign });
});
afterAll(() => server.close());

const query = (sql: string, values: unknown[] = []) => server.world.pool.query(sql, values);
const addUser = async (fields: object = {}) =>
  (await idp.post('/Users', { schemas: [scimSchemas.user], userName: newAddress(), ...fields })).body;
const addGroup = async (members: string[] = []) =>
  (
    await idp.post('/Groups', {
      displayName: `Group ${crypto.randomUUID()}`,
      members: members.map((value) => ({ value })),
    })
  ).body;
const membersOf = async (id: string): Promise<string[]> =>
  ((await idp.get(`/Groups/${id}`)).body.members ?? []).map(({ value }) => value);

describe('SCIM user', () => {
  it('createScimUser stores the attributes, and the user has no usable password', async () => {
    const userName = newAddress();
    const { status, body, headers } = await idp.post('/Users', {
      schemas: [scimSchemas.user],
      externalId: '00u1',
      userName: userName.toUpperCase(),
      displayName: 'Ada Lovelace',
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      emails: [{ value: 'other@scim.test' }],
      password: 'correct horse battery',
      active: true,
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      schemas: [scimSchemas.user],
      id: expect.stringMatching(/^\d+$/),
      externalId: '00u1',
      userName,
      displayName: 'Ada Lovelace',
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      active: true,
      emails: [{ value: userName, type: 'work', primary: true }],
      groups: [],
      meta: {
        resourceType: 'User',
        created: expect.any(String),
        lastModified: expect.any(String),
        location: expect.stringMatching(new RegExp(`/scim/v2/Users/${body.id}$`)),
        version: headers.get('etag'),
      },
    });
    expect(headers.get('location')).toBe(body.meta.location);
    expect((await idp.get(`/Users/${body.id}`)).body).toEqual(body);
    const form = new URLSearchParams({ username: userName, password: 'correct horse battery' });
    const signIn = await fetch(`${server.worker.origin}/api/v1/auth/login`, { method: 'POST', body: form });
    expect(signIn.status).toBe(401);
  });

  it.each([
    [{ displayName: 'Shown', name: { formatted: 'Formatted', givenName: 'Given' } }, 'Shown'],
    [{ name: { formatted: 'Formatted', givenName: 'Given' } }, 'Formatted'],
    [{ name: { givenName: 'Given', familyName: 'Family' } }, 'Given Family'],
  ])('createScimUser derives the name from %j', async (fields, name) => {
    expect((await addUser(fields)).displayName).toBe(name);
  });

  it('patchScimUser derives the displayed name from a changed part', async () => {
    const user = await addUser({ name: { givenName: 'Ada', familyName: 'Byron' } });
    const { body } = await idp.patch(`/Users/${user.id}`, [
      { op: 'replace', path: 'name.familyName', value: 'Lovelace' },
    ]);
    expect(body).toMatchObject({ displayName: 'Ada Lovelace', name: { familyName: 'Lovelace' } });
  });

  it('replaceScimUser removes an omitted externalId and name, and keeps other attributes', async () => {
    const user = await addUser({
      externalId: 'x',
      displayName: 'Ada',
      name: { givenName: 'A' },
      active: false,
    });
    const { status, body } = await idp.put(`/Users/${user.id}`, { userName: user.userName });
    expect(status).toBe(200);
    expect(body).toMatchObject({ userName: user.userName, displayName: 'Ada', active: false });
    expect(body).not.toHaveProperty('externalId');
    expect(body).not.toHaveProperty('name');
  });

  it('createScimUser returns 409 uniqueness for an email used in any tenant, ignoring case', async () => {
    const { userName } = await addUser();
    for (const caller of [idp, foreign]) {
      const answer = await caller.post('/Users', { userName: userName.toUpperCase() });
      expect(answer).toMatchObject(scimFailure(409, 'uniqueness'));
    }
  });

  it('deleteScimUser hides and deactivates the user and removes all access, and createScimUser restores the user', async () => {
    const user = await addUser({ externalId: 'gone' });
    const group = await addGroup([user.id]);
    await query(
      `INSERT INTO api_keys (tenant_id, user_id, name, key_hash, last4, scopes)
       VALUES ($1, $2, 'k', uuid_send(gen_random_uuid()), 'last', '{models}')`,
      [server.world.home.id, user.id],
    );
    expect(await idp.delete(`/Users/${user.id}`)).toMatchObject({ status: 204, body: null });
    for (const attempt of [idp.get(`/Users/${user.id}`), idp.delete(`/Users/${user.id}`)])
      expect(await attempt).toMatchObject(scimFailure(404));
    expect((await idp.get(`/Users?filter=userName eq "${user.userName}"`)).body.totalResults).toBe(0);
    expect(await membersOf(group.id)).toEqual([]);
    const { rows } = await query(
      `SELECT is_active, external_id, (SELECT count(*)::int FROM api_keys WHERE user_id = users.id AND revoked_at IS NULL) AS keys
       FROM users WHERE id = $1`,
      [user.id],
    );
    expect(rows).toEqual([{ is_active: false, external_id: null, keys: 0 }]);
    const again = await idp.post('/Users', { userName: user.userName, displayName: 'Back' });
    expect(again).toMatchObject({ status: 201, body: { id: user.id, displayName: 'Back', active: true } });
  });

  it('SCIM finds users created by an administrator by their email, and links them', async () => {
    const id = await server.addUser(server.world.home);
    const { body } = await idp.get(`/Users/${id}`);
    const found = await idp.get(`/Users?filter=${encodeURIComponent(`userName eq "${body.userName}"`)}`);
    expect(found.body.Resources.map((user: { id: string }) => user.id)).toEqual([id]);
    await idp.patch(`/Users/${id}`, [{ op: 'add', path: 'externalId', value: 'linked' }]);
    const { rows } = await query('SELECT external_id, provisioned_by FROM users WHERE id = $1', [id]);
    expect(rows).toEqual([{ external_id: 'linked', provisioned_by: 'scim' }]);
  });
});

describe('SCIM group', () => {
  it('a SCIM group is a team with an external id, and its members are those of the team', async () => {
    const [ada, ben] = [await addUser(), await addUser()];
    const { status, body } = await idp.post('/Groups', {
      schemas: [scimSchemas.group],
      displayName: 'Engineering',
      externalId: 'g1',
      members: [{ value: ada.id }],
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      displayName: 'Engineering',
      externalId: 'g1',
      members: [{ value: ada.id, $ref: ada.meta.location, type: 'User' }],
      meta: { resourceType: 'Group' },
    });
    const { rows } = await query('SELECT id, tenant_id FROM teams WHERE external_id = $1', ['g1']);
    expect(rows).toEqual([{ id: Number(body.id), tenant_id: server.world.home.id }]);
    expect((await idp.get(`/Users/${ada.id}`)).body.groups).toMatchObject([
      { value: body.id, display: 'Engineering' },
    ]);
    expect(
      (await idp.patch(`/Groups/${body.id}`, [{ op: 'add', path: 'members', value: [{ value: ben.id }] }]))
        .status,
    ).toBe(204);
    expect(await membersOf(body.id)).toEqual([ada.id, ben.id]);
    expect((await idp.post('/Groups', { displayName: 'ENGINEERING' })).body).toMatchObject(
      scimFailure(409, 'uniqueness').body,
    );
    expect((await idp.delete(`/Groups/${body.id}`)).status).toBe(204);
    expect(await idp.get(`/Groups/${body.id}`)).toMatchObject(scimFailure(404));
    expect((await idp.get(`/Users/${ada.id}`)).body.groups).toEqual([]);
  });

  it.each([
    ['remove by a filter', (a: string) => [{ op: 'remove', path: `members[value eq "${a}"]` }], ['b', 'c']],
    [
      'remove by values',
      (a: string) => [{ op: 'Remove', path: 'members', value: [{ value: a }] }],
      ['b', 'c'],
    ],
    ['remove of all', () => [{ op: 'remove', path: 'members' }], []],
    ['replace', (a: string) => [{ op: 'replace', path: 'members', value: [{ value: a }] }], ['a']],
    ['replace without a path', (a: string) => [{ op: 'replace', value: { members: [{ value: a }] } }], ['a']],
    [
      'add of a member',
      (a: string) => [{ op: 'add', path: 'members', value: { value: a } }],
      ['a', 'b', 'c'],
    ],
    [
      'operations in their order',
      (a: string, b: string) => [
        { op: 'remove', path: 'members' },
        { op: 'add', path: 'members', value: [{ value: a }, { value: b }] },
        { op: 'remove', path: `members[value eq "${a}"]` },
      ],
      ['b'],
    ],
    [
      'a path with the URN of the schema',
      (a: string) => [{ op: 'remove', path: `${scimSchemas.group}:members[value eq "${a}"]` }],
      ['b', 'c'],
    ],
  ])('patchScimGroup applies %s', async (_title, operationsOf, left) => {
    const ids = { a: (await addUser()).id, b: (await addUser()).id, c: (await addUser()).id };
    const group = await addGroup(Object.values(ids));
    const { status } = await idp.patch(`/Groups/${group.id}`, operationsOf(ids.a, ids.b));
    expect(status).toBe(204);
    expect(await membersOf(group.id)).toEqual(left.map((key) => ids[key as keyof typeof ids]));
  });

  it('patchScimGroup returns the group if attributes are requested', async () => {
    const group = await addGroup([(await addUser()).id]);
    const { status, body } = await idp.patch(`/Groups/${group.id}?excludedAttributes=members`, [
      { op: 'replace', value: { displayName: `New ${group.id}` } },
    ]);
    expect([status, body.displayName, body.members]).toEqual([200, `New ${group.id}`, undefined]);
  });

  it('replaceScimGroup keeps the role of members who administer the team', async () => {
    const user = await addUser();
    const group = await addGroup([user.id]);
    await query("UPDATE team_members SET role = 'admin' WHERE user_id = $1", [user.id]);
    await idp.put(`/Groups/${group.id}`, { displayName: group.displayName, members: [{ value: user.id }] });
    const { rows } = await query('SELECT role FROM team_members WHERE user_id = $1', [user.id]);
    expect(rows).toEqual([{ role: 'admin' }]);
  });

  it.each([
    ['an unknown user', '2000000', undefined],
    ['a value that is not an id', 'ada', undefined],
    ['a group', '1', 'Group'],
  ])('createScimGroup rejects %s as a member and creates nothing', async (_title, value, type) => {
    const displayName = `Refused ${crypto.randomUUID()}`;
    const answer = await idp.post('/Groups', { displayName, members: [{ value, type }] });
    expect(answer).toMatchObject(scimFailure(400, 'invalidValue'));
    expect((await idp.get(`/Groups?filter=displayName eq "${displayName}"`)).body.totalResults).toBe(0);
  });
});

describe('versions of SCIM resources', () => {
  it.each(['Users', 'Groups'])('SCIM %s are changed only if If-Match names their version', async (kind) => {
    const { id, meta } = kind === 'Users' ? await addUser() : await addGroup();
    const place = `/${kind}/${id}`;
    const rename = (name: string) => [{ op: 'replace', path: 'displayName', value: `${name} ${id}` }];
    expect((await idp.get(place, { 'if-none-match': meta.version })).status).toBe(304);
    const changed = await idp.patch(place, rename('New'), { 'if-match': meta.version });
    expect(changed.status).toBeLessThan(300);
    const stale = { 'if-match': meta.version };
    expect(await idp.patch(place, rename('Newer'), stale)).toMatchObject(scimFailure(412));
    expect(await idp.put(place, { displayName: `Newer ${id}` }, stale)).toMatchObject(scimFailure(412));
    expect(await idp.delete(place, stale)).toMatchObject(scimFailure(412));
    const { headers, status } = await idp.get(place, { 'if-none-match': meta.version });
    expect([status, headers.get('etag')]).toEqual([200, changed.headers.get('etag')]);
    expect((await idp.delete(place, { 'if-match': `W/"x", ${headers.get('etag')}` })).status).toBe(204);
  });

  it('the version of a SCIM group changes with its members', async () => {
    const user = await addUser();
    const group = await addGroup([user.id]);
    await idp.patch(`/Groups/${group.id}`, [{ op: 'remove', path: 'members' }]);
    const { headers } = await idp.get(`/Groups/${group.id}`);
    expect(headers.get('etag')).not.toBe(group.meta.version);
  });
});

describe('lists of SCIM', () => {
  it('SCIM lists return pages without gaps or duplicates, and count 0 returns only the total', async () => {
    for (let made = 0; made < 5; made++) await addUser({ externalId: 'paged' });
    const page = async (parameters: string) =>
      (await idp.get(`/Users?filter=externalId eq "paged"&${parameters}`)).body;
    const ids = async (parameters: string) =>
      (await page(parameters)).Resources.map((user: { id: string }) => user.id);
    const all = await ids('');
    expect(all).toHaveLength(5);
    expect([...(await ids('startIndex=1&count=2')), ...(await ids('startIndex=3&count=3'))]).toEqual(all);
    expect(await ids('startIndex=-4&count=1')).toEqual(all.slice(0, 1));
    expect(await page('count=0')).toMatchObject({ totalResults: 5, itemsPerPage: 0, Resources: [] });
    expect(await page('count=-1')).toMatchObject({ totalResults: 5, itemsPerPage: 0 });
    expect(await page('startIndex=6')).toMatchObject({ totalResults: 5, startIndex: 6, Resources: [] });
    expect(await page('startIndex=999999999999999')).toMatchObject({ totalResults: 5, Resources: [] });
    expect(await idp.get('/Users?count=ten')).toMatchObject(scimFailure(400, 'invalidValue'));
    expect((await idp.get('/Users?count=100000')).body.itemsPerPage).toBeLessThanOrEqual(200);
  });

  it.each([
    ['userName Eq "{userName}"', true],
    ['userName eq "{USERNAME}"', true],
    ['userName ne "{userName}"', false],
    ['userName sw "person-" and userName ew "@SCIM.test"', true],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName co "erson"', true],
    ['emails.value eq "{userName}"', true],
    ['emails eq "{userName}"', true],
    ['emails[type eq "work" and value eq "{userName}"]', true],
    ['emails[type eq "home"]', false],
    ['emails[primary eq true]', true],
    ['id eq "{id}"', true],
    ['id eq "0 OR 1=1"', false],
    ['externalId eq "Case"', true],
    ['externalId eq "case"', false],
    ['externalId eq null', false],
    ['externalId pr', true],
    ['not (externalId pr)', false],
    ['name.givenName eq "%"', false],
    ['name.givenName eq "ADA"', true],
    ['name.familyName pr', false],
    ['name.familyName ne "x"', true],
    ['displayName co "\'; DROP TABLE users; --"', false],
    ['active eq "True"', true],
    ['active ne true', false],
    ['groups.value eq "{group}"', true],
    ['groups[value eq "{group}"]', true],
    ['groups pr', true],
    ['roles[value eq "admin"]', false],
    ['meta.created le "2999-01-01T00:00:00Z"', true],
    ['meta.lastModified lt "2020-01-01T00:00:00Z"', false],
    ['meta.resourceType eq "User"', true],
    ['displayName ge "a" and (displayName lt "B" or externalId gt "A")', true],
  ])('the SCIM filter %s matches the user: %s', async (filter, matches) => {
    const user = await addUser({ externalId: 'Case', displayName: 'ada', name: { givenName: 'Ada' } });
    const group = await addGroup([user.id]);
    const values = {
      userName: user.userName,
      USERNAME: user.userName.toUpperCase(),
      id: user.id,
      group: group.id,
    };
    const text = filter.replace(/\{(\w+)\}/g, (_, name: keyof typeof values) => values[name]);
    const path = `/Users?filter=${encodeURIComponent(`(${text}) and id eq "${user.id}"`)}`;
    const { status, body } = await idp.get(path);
    expect([status, body.totalResults]).toEqual([200, matches ? 1 : 0]);
  });

  it.each([
    ['displayName eq "{NAME}"', true],
    ['members.value eq "{user}"', true],
    ['members[value eq "{user}"]', true],
    ['members eq "{user}"', true],
    ['members[value eq "2000000"]', false],
    ['not (members pr)', false],
  ])('the SCIM filter %s matches the group: %s', async (filter, matches) => {
    const user = await addUser();
    const group = await addGroup([user.id]);
    const text = filter.replace('{user}', user.id).replace('{NAME}', group.displayName.toUpperCase());
    const { body } = await idp.get(`/Groups?filter=${encodeURIComponent(`${text} and id eq "${group.id}"`)}`);
    expect(body.totalResults).toBe(matches ? 1 : 0);
  });

  it.each([
    'password eq "x"',
    'userName.value eq "x"',
    'name eq "x"',
    'active gt true',
    'userName eq 5',
    'meta.created eq "yesterday"',
    'members pr',
    'constructor eq "x"',
  ])('the SCIM filter %s on users is rejected as invalidFilter', async (filter) => {
    expect(await idp.get(`/Users?filter=${encodeURIComponent(filter)}`)).toMatchObject(
      scimFailure(400, 'invalidFilter'),
    );
  });

  it('attributes and excludedAttributes select the attributes of a response', async () => {
    const user = await addUser({ displayName: 'Ada', name: { givenName: 'A', familyName: 'B' } });
    const read = async (parameters: string) =>
      Object.keys((await idp.get(`/Users/${user.id}?${parameters}`)).body);
    expect(await read('attributes=userName')).toEqual(['schemas', 'id', 'userName']);
    expect(await read('excludedAttributes=id,meta,groups,emails,active,name')).toEqual([
      'schemas',
      'id',
      'userName',
      'displayName',
    ]);
    const named = await idp.get(`/Users/${user.id}?attributes=${scimSchemas.user}:NAME.givenname`);
    expect(named.body.name).toEqual({ givenName: 'A' });
    expect(await idp.get('/Users?attributes=id&excludedAttributes=meta')).toMatchObject(
      scimFailure(400, 'invalidValue'),
    );
  });
});

it("listScimUsers returns no users of another tenant than the token's", async () => {
  const user = await addUser();
  const other = createScimCaller(server.worker.origin, foreign.token);
  const list = await other.get('/Users?count=200');
  expect(list.body.Resources.map(({ id }) => id)).not.toContain(user.id);
});
