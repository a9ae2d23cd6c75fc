import { expect } from 'vitest';
import { addScimToken } from '../access/callers.ts';
import { addMember, createWorld, type TestTenant, type World } from '../access/world.ts';
import { createTestDatabase } from '../database/database.ts';
import { type RunningServer, startWorker, type WorkerOptions } from './console-server.ts';

type Headers = Readonly<Record<string, string>>;

/** Fields of SCIM resources, lists, schemas and errors that tests read. Each body has only some of the fields. */
export interface ScimBody {
  readonly id: string;
  readonly externalId: string;
  readonly userName: string;
  readonly displayName: string;
  readonly active: boolean;
  readonly name: Readonly<Record<string, string>>;
  readonly members: readonly { readonly value: string }[];
  readonly groups: readonly { readonly value: string }[];
  readonly meta: { readonly version: string; readonly location: string };
  readonly Resources: readonly ScimBody[];
  readonly totalResults: number;
  readonly itemsPerPage: number;
  readonly endpoint: string;
  readonly attributes: readonly { readonly name: string; readonly mutability: string }[];
  readonly detail: string;
}

/** SCIM response. The body is `null` if it is empty. */
interface ScimResponse {
  readonly status: number;
  readonly body: ScimBody;
  readonly headers: globalThis.Headers;
}

export interface ScimCaller {
  readonly token: string;
  get(path: string, headers?: Headers): Promise<ScimResponse>;
  post(path: string, body: unknown, headers?: Headers): Promise<ScimResponse>;
  put(path: string, body: unknown, headers?: Headers): Promise<ScimResponse>;
  patch(path: string, operations: readonly object[], headers?: Headers): Promise<ScimResponse>;
  delete(path: string, headers?: Headers): Promise<ScimResponse>;
}

export interface ScimServer {
  readonly world: World;
  readonly worker: RunningServer;
  /** The tenant defaults to `home`. */
  connect(options?: Parameters<typeof addScimToken>[2] & { tenant?: TestTenant }): Promise<ScimCaller>;
  /** Adds a user by other means than SCIM. Returns the SCIM id. */
  addUser(tenant: TestTenant, role?: 'user' | 'admin' | 'super_admin'): Promise<string>;
  close(): Promise<void>;
}

export async function startScimServer(options: Partial<WorkerOptions> = {}): Promise<ScimServer> {
  const database = await createTestDatabase();
  const world = await createWorld(database.pool);
  const { connectionString } = database;
  const worker = await startWorker({ connectionString, ...options });
  return {
    world,
    worker,
    connect: async ({ tenant = world.home, ...rights } = {}) =>
      createScimCaller(worker.origin, await addScimToken(world, tenant, rights)),
    addUser: async (tenant, role = 'user') => String((await addMember(world, tenant, role)).userId),
    async close() {
      await worker.close();
      await database.close();
    },
  };
}

export function createScimCaller(origin: string, token: string): ScimCaller {
  const send = async (method: string, path: string, body?: unknown, headers?: Headers) => {
    const response = await fetch(`${origin}/scim/v2${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (text !== '') expect(response.headers.get('content-type')).toMatch(/^application\/scim\+json/);
    return {
      status: response.status,
      body: text === '' ? null : JSON.parse(text),
      headers: response.headers,
    };
  };
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp'];
  return {
    token,
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
    put: (path, body, headers) => send('PUT', path, body, headers),
    patch: (path, operations, headers) => send('PATCH', path, { schemas, Operations: operations }, headers),
    delete: (path, headers) => send('DELETE', path, undefined, headers),
  };
}

let count = 0;

export const newAddress = () => `person-${++count}@scim.test`;

export const scimFailure = (status: number, scimType?: string) => ({
  status,
  body: {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    ...(scimType && { scimType }),
    detail: expect.any(String),
  },
});
