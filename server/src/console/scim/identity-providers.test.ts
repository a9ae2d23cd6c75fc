import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ScimCaller, type ScimServer, scimFailure, startScimServer } from '#test/console/scim-server.ts';

/**
 * Requests in the order and format used by Entra ID and Okta. Sources: "Develop and plan provisioning for a SCIM
 * endpoint in Microsoft Entra ID" and Okta's "SCIM 2.0 protocol reference".
 */
let server: ScimServer;
let idp: ScimCaller;

beforeAll(async () => {
  server = await startScimServer();
  idp = await server.connect();
});
afterAll(() => server.close());

const find = (noun: 'Users' | 'Groups', filter: string, more = '') =>
  idp.get(`/${noun}?${more}filter=${encodeURIComponent(filter)}`);
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const core = 'urn:ietf:params:scim:schemas:core:2.0';

describe('Entra ID', () => {
  it('Entra ID tests the connection with a user that does not exist', async () => {
    const { status, body } = await find('Users', `userName eq "${crypto.randomUUID()}"`);
    expect([status, body.totalResults, body.Resources]).toEqual([200, 0, []]);
  });

  it('Entra ID creates, finds, changes, disables, enables and deletes a user', async () => {
    const userName = 'Test_User_ab6490ee@entra.test';
    expect((await find('Users', `userName eq "${userName}"`)).body.totalResults).toBe(0);
    const created = await idp.post('/Users', {
      schemas: [`${core}:User`, enterprise],
      externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
      userName,
      active: true,
      addresses: [{ primary: false, type: 'work', country: 'US', locality: 'Redmond' }],
      displayName: 'lennay',
      emails: [{ primary: true, type: 'work', value: userName }],
      meta: { resourceType: 'User' },
      name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
      phoneNumbers: [{ primary: true, type: 'work', value: '555-555-5555' }],
      preferredLanguage: 'en-US',
      roles: [],
      title: 'Engineer',
      userType: 'Member',
      [enterprise]: { employeeNumber: '00u1', department: 'bob', manager: { value: '00u2' } },
    });
    expect(created).toMatchObject({ status: 201, body: { userName: userName.toLowerCase(), active: true } });
    const place = `/Users/${created.body.id}`;
    expect((await find('Users', `externalId eq "${created.body.externalId}"`)).body.Resources).toHaveLength(
      1,
    );
    const work = `emails[type eq "work"].value eq "${userName}"`;
    expect((await find('Users', work)).body.Resources).toMatchObject([{ id: created.body.id }]);

    const changed = await idp.patch(place, [
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updatedEmail@entra.test' },
      { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
      { op: 'Add', path: `${enterprise}:department`, value: 'Finance' },
      { op: 'Add', path: 'addresses[type eq "work"].streetAddress', value: '1 Main Street' },
      {
        op: 'Replace',
        value: { displayName: 'lennay Tam', 'name.givenName': 'Lennay', [`${enterprise}:costCenter`]: '7' },
      },
    ]);
    expect(changed).toMatchObject({
      status: 200,
      body: { displayName: 'lennay Tam', name: { givenName: 'Lennay', familyName: 'updatedFamilyName' } },
    });

    const setActive = (value: unknown) => idp.patch(place, [{ op: 'Replace', path: 'active', value }]);
    expect((await setActive('False')).body.active).toBe(false);
    const disabled = await find('Users', `userName eq "${userName}"`);
    expect(disabled.body.Resources).toMatchObject([{ id: created.body.id, active: false }]);
    expect((await setActive('True')).body.active).toBe(true);
    expect((await setActive(false)).body.active).toBe(false);
    expect((await idp.delete(place)).status).toBe(204);
    expect(await idp.get(place)).toMatchObject(scimFailure(404));
  });

  it('Entra ID creates, finds and renames a group, and adds and removes its members', async () => {
    const member = (await idp.post('/Users', { userName: 'member@entra.test' })).body.id;
    const other = (await idp.post('/Users', { userName: 'other@entra.test' })).body.id;
    const created = await idp.post('/Groups', {
      schemas: [`${core}:Group`, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
      externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
      displayName: 'Entra group',
      members: [],
      meta: { resourceType: 'Group' },
    });
    expect(created.status).toBe(201);
    const place = `/Groups/${created.body.id}`;
    const withoutMembers = await idp.get(`${place}?excludedAttributes=members`);
    expect(withoutMembers.body).not.toHaveProperty('members');
    const found = await find('Groups', 'displayName eq "entra GROUP"', 'excludedAttributes=members&');
    expect(found.body.Resources).toMatchObject([
      { id: created.body.id, externalId: created.body.externalId },
    ]);

    expect((await idp.patch(place, [{ op: 'Replace', path: 'displayName', value: 'Renamed' }])).status).toBe(
      204,
    );
    const add = {
      op: 'Add',
      path: 'members',
      value: [
        { $ref: null, value: member },
        { $ref: null, value: other },
      ],
    };
    expect((await idp.patch(place, [add])).status).toBe(204);
    const check = `id eq "${created.body.id}" and members[value eq "${member}"]`;
    expect((await find('Groups', check, 'excludedAttributes=members&')).body.totalResults).toBe(1);
    expect(
      (await idp.patch(place, [{ op: 'Remove', path: 'members', value: [{ $ref: null, value: other }] }]))
        .status,
    ).toBe(204);
    expect((await idp.patch(place, [{ op: 'Remove', path: `members[value eq "${member}"]` }])).status).toBe(
      204,
    );
    const { body } = await idp.get(place);
    expect([body.displayName, body.members]).toEqual(['Renamed', undefined]);
    expect((await idp.delete(place)).status).toBe(204);
  });
});

describe('Okta', () => {
  it('Okta tests the connection and imports users and groups by pages', async () => {
    for (const path of [
      '/Users?startIndex=1&count=2',
      '/Users?startIndex=1&count=100',
      '/Groups?startIndex=1&count=100',
    ])
      expect((await idp.get(path)).body).toMatchObject({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
        startIndex: 1,
        totalResults: expect.any(Number),
        itemsPerPage: expect.any(Number),
        Resources: expect.any(Array),
      });
    expect(await idp.get('/Users/010101001010101011001010101011')).toMatchObject(scimFailure(404));
  });

  it('Okta creates, updates, deactivates and reactivates a user', async () => {
    const userName = 'test.user@okta.test';
    const profile = {
      schemas: [`${core}:User`],
      userName,
      name: { givenName: 'Test', familyName: 'User' },
      emails: [{ primary: true, value: userName, type: 'work' }],
      displayName: 'Test User',
      locale: 'en-US',
      externalId: '00ujl29u0le5T6Aj10h7',
      groups: [],
      password: '1mz050nq',
      active: true,
    };
    expect(
      (await find('Users', `userName eq "${userName}"`, 'startIndex=1&count=100&')).body.totalResults,
    ).toBe(0);
    const created = await idp.post('/Users', profile);
    expect(created.status).toBe(201);
    expect(await idp.post('/Users', profile)).toMatchObject(scimFailure(409, 'uniqueness'));
    const place = `/Users/${created.body.id}`;
    const read = (await idp.get(place)).body;
    const updated = await idp.put(place, {
      ...read,
      name: { ...read.name, familyName: 'Renamed' },
      displayName: 'Test Renamed',
      password: 'ignored',
    });
    expect(updated).toMatchObject({ status: 200, body: { displayName: 'Test Renamed', active: true } });
    const setActive = (active: boolean) => idp.patch(place, [{ op: 'replace', value: { active } }]);
    expect((await setActive(false)).body.active).toBe(false);
    expect((await setActive(true)).body.active).toBe(true);
    expect((await idp.put(place, { ...read, active: false })).body.active).toBe(false);
  });

  it('Okta pushes a group, its name and its members', async () => {
    const member = (await idp.post('/Users', { userName: 'member@okta.test' })).body.id;
    const created = await idp.post('/Groups', {
      schemas: [`${core}:Group`],
      displayName: 'Okta group',
      members: [],
    });
    expect(created.status).toBe(201);
    const place = `/Groups/${created.body.id}`;
    const renamed = await idp.patch(place, [
      { op: 'replace', value: { id: created.body.id, displayName: 'Okta renamed' } },
    ]);
    expect(renamed.status).toBe(204);
    const value = [{ value: member, display: 'member@okta.test' }];
    const changed = await idp.patch(place, [
      { op: 'remove', path: `members[value eq "${member}"]` },
      { op: 'add', path: 'members', value },
    ]);
    expect(changed.status).toBe(204);
    const replaced = await idp.put(place, { ...created.body, displayName: 'Okta put', members: value });
    expect(replaced.body).toMatchObject({ displayName: 'Okta put', members: [{ value: member }] });
    expect((await idp.delete(place)).status).toBe(204);
  });
});
