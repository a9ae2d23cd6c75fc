import { scimRoutes, scimSchemas } from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ScimCaller, type ScimServer, scimFailure, startScimServer } from '#test/console/scim-server.ts';

let server: ScimServer;
let idp: ScimCaller;

beforeAll(async () => {
  server = await startScimServer();
  idp = await server.connect();
});
afterAll(() => server.close());

describe('SCIM errors', () => {
  it.each([
    ['GET', '/nothing', 404],
    ['GET', '', 404],
    ['GET', '/Users/1/x', 404],
    ['POST', '/Bulk', 501],
    ['GET', '/Me', 501],
    ['DELETE', '/Me', 501],
    ['POST', '/.search', 501],
    ['POST', '/Users/.search', 501],
    ['PATCH', '/Users', 405],
    ['POST', '/Groups/1', 405],
    ['DELETE', '/ServiceProviderConfig', 405],
    ['GET', '/Users/abc', 404],
    ['GET', '/Users/99999999999', 404],
    ['GET', '/Groups/0', 404],
    ['GET', '/Schemas/x', 404],
    ['GET', '/Schemas?filter=id%20pr', 403],
    ['GET', '/Users/%', 400],
  ])('%s %s returns %s in SCIM format', async (method, path, status) => {
    const headers = { authorization: `Bearer ${idp.token}` };
    const response = await fetch(`${server.worker.origin}/scim/v2${path}`, { method, headers });
    expect(response.headers.get('content-type')).toMatch(/^application\/scim\+json/);
    expect({ status: response.status, body: await response.json() }).toMatchObject(scimFailure(status));
  });

  it.each([
    ['text that is not JSON', '{"userName"', 400, 'invalidSyntax'],
    ['an array', '[]', 400, undefined],
    ['more bytes than the limit', JSON.stringify({ userName: 'x'.repeat(300_000) }), 413, undefined],
    ['no userName', '{}', 400, 'invalidValue'],
    ['a NUL character', '{"userName": "a@b.test", "displayName": "a\\u0000b"}', 400, 'invalidValue'],
  ])('SCIM routes reject a body of %s', async (_title, body, status, scimType) => {
    expect(await idp.post('/Users', body)).toMatchObject(scimFailure(status, scimType));
  });

  it('SCIM routes reject another media type', async () => {
    const answer = await idp.post('/Users', '<user/>', { 'content-type': 'text/xml' });
    expect(answer).toMatchObject(scimFailure(415));
  });

  it('every SCIM route rejects a request without a token, with the challenge', async () => {
    for (const { method, path } of Object.values(scimRoutes)) {
      const response = await fetch(server.worker.origin + path.replace('{id}', '1'), { method });
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
      expect({ status: response.status, body: await response.json() }).toMatchObject(scimFailure(401));
    }
  });
});

describe('SCIM discovery', () => {
  it('ServiceProviderConfig lists the supported features, without sorting and bulk', async () => {
    expect((await idp.get('/ServiceProviderConfig')).body).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true, maxResults: 200 },
      changePassword: { supported: false },
      sort: { supported: false },
      etag: { supported: true },
    });
    const types = (await idp.get('/ResourceTypes')).body.Resources;
    expect(types.map(({ endpoint }) => endpoint)).toEqual(['/Users', '/Groups']);
  });

  it('the user schema marks roles as writable only for a token that may assign them', async () => {
    const rolesFor = async (caller: ScimCaller) =>
      (await caller.get(`/Schemas/${scimSchemas.user}`)).body.attributes.find(({ name }) => name === 'roles')
        ?.mutability;
    expect(await rolesFor(idp)).toBe('readOnly');
    expect(await rolesFor(await server.connect({ canAssignRoles: true }))).toBe('readWrite');
  });
});
