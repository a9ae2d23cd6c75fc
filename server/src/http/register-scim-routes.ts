import { pathOf, type RouteRow, scimRoutes } from '@sluice/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { shareOfAddress, withShare } from '#db/fair-pool.ts';
import type { RunInTenant } from '#db/tenant.ts';
import { findRepeatedHeader } from '#domain/repeated-header.ts';
import { ConsoleError, databaseAway } from '#errors/console-error.ts';
import { ScimError, toScimError } from '#errors/scim-error.ts';
import type { Turns } from '#platform/paced-work.ts';
import type { ErrorFormat } from './answer-console-error.ts';
import type { RequestSource } from './caller-address.ts';
import { acceptJson, refuseCompressed } from './read-body.ts';
import { toRouterPath } from './require-declared-routes.ts';
import type { AuthenticateScim, ScimAnswer, ScimClient, ScimContext, ScimHandlers } from './scim-route.ts';
import { validateInput } from './validate-input.ts';

export interface ScimRoutesDeps {
  readonly handlers: ScimHandlers;
  readonly authenticate: AuthenticateScim;
  readonly publicUrl: string;
}

interface ScimServerDeps extends ScimRoutesDeps {
  readonly runInTenant: RunInTenant;
  readonly turns: Turns;
  readonly whenChangesHold: () => Promise<void>;
  readonly isDatabaseReachable: () => boolean;
  readonly findSource: (request: FastifyRequest['raw']) => RequestSource;
}

declare module 'fastify' {
  interface FastifyRequest {
    scimClient: ScimClient | null;
  }
}

const scimPrefix = '/scim/v2';
const mediaType = 'application/scim+json';
/** Sufficient for a user or a user change. Groups declare a larger limit. */
const bodyLimitBytes = 256 * 1024;
/** Sufficient for a group of 20,000 members. */
const jsonLimits = {
  depth: 32,
  fields: 1_000,
  containers: 25_000,
  members: 100_000,
  values: 150_000,
  numberBytes: 100,
};

/** Every error below the SCIM prefix has SCIM's format. */
export async function registerScimRoutes(app: FastifyInstance, deps: ScimServerDeps): Promise<void> {
  app.decorateRequest('scimClient', null);
  await app.register(async (scope) => {
    acceptJson(scope, deps.turns, { mediaTypes: [mediaType, 'application/json'], limits: jsonLimits });
    const rows: Record<string, RouteRow> = scimRoutes;
    for (const [name, row] of Object.entries(rows)) register(scope, name, row, deps);
  });
}

function register(scope: FastifyInstance, name: string, row: RouteRow, deps: ScimServerDeps): void {
  // safe because ScimHandlers has the row's own handler under the row's name
  const handler = deps.handlers[name as keyof ScimHandlers] as (
    ctx: ScimContext,
    input: ReturnType<typeof validateInput>,
  ) => Promise<ScimAnswer>;
  scope.route({
    method: row.method,
    url: toRouterPath(pathOf(row)),
    bodyLimit: row.bodyLimitBytes ?? bodyLimitBytes,
    async onRequest(request, reply) {
      request.scimClient = await authenticate(request, reply, deps);
      refuseCompressed(request);
    },
    handler: (request, reply) => {
      const client = requireClient(request);
      return withShare([`tenant:${client.tenantId}`, `scim:${client.tokenId}`], () =>
        handle(request, reply, client),
      );
    },
  });

  async function handle(request: FastifyRequest, reply: FastifyReply, client: ScimClient) {
    const input = validateInput(row, request);
    const answer = await handler(createContext(name, request, client, deps), input);
    // Only changes and deletions can revoke access that other workers would still grant.
    if (row.method !== 'GET' && row.method !== 'POST') await deps.whenChangesHold();
    if (answer.version) reply.header('etag', answer.version);
    if (answer.location) reply.header('location', answer.location);
    reply.status(answer.status ?? row.status ?? 200);
    if (answer.body === null) return reply.send();
    return reply.type(mediaType).send(JSON.stringify(row.response.parse(answer.body)));
  }
}

function requireClient({ scimClient }: FastifyRequest): ScimClient {
  if (!scimClient) throw new Error('a SCIM route was served without a token');
  return scimClient;
}

async function authenticate(
  request: FastifyRequest,
  reply: FastifyReply,
  { authenticate: findClient, findSource, isDatabaseReachable }: ScimServerDeps,
): Promise<ScimClient> {
  const problem = findRepeatedHeader(request.raw.rawHeaders);
  if (problem) throw new ConsoleError(400, problem);
  const token = request.headers.authorization?.match(/^Bearer +(\S+) *$/i)?.[1];
  reply.header('www-authenticate', 'Bearer');
  if (!token) throw new ScimError(401, 'Send a SCIM token as a bearer token.');
  if (!isDatabaseReachable()) throw databaseAway();
  const client = await withShare(shareOfAddress(request.ip), () =>
    findClient(token, findSource(request.raw)),
  );
  reply.removeHeader('www-authenticate');
  return client;
}

function createContext(
  action: string,
  request: FastifyRequest,
  client: ScimClient,
  { runInTenant, findSource, publicUrl }: ScimServerDeps,
): ScimContext {
  const { address } = findSource(request.raw);
  const actor = {
    userId: null,
    name: `SCIM token ${client.tokenName}`,
    action,
    requestId: request.id,
    address,
  };
  const { 'if-match': ifMatch = null, 'if-none-match': ifNoneMatch = null } = request.headers;
  return {
    client,
    baseUrl: publicUrl + scimPrefix,
    inTenant: (work) => runInTenant(client.tenantId, work, actor),
    ifMatch,
    ifNoneMatch,
  };
}

/** RFC 7644, section 3.12. */
export const scimErrorFormat: ErrorFormat = {
  mediaType,
  convert: toScimError,
  describe(refusal) {
    const { status, message, scimType } = toScimError(refusal);
    return {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: String(status),
      ...(scimType && { scimType }),
      detail: message,
    };
  },
};

export const isScimUrl = (url: string) => /^\/scim\/v2(?:[/?#]|$)/.test(url);

const unsupported: readonly (readonly [RegExp, string])[] = [
  [/^\/Bulk$/i, 'Bulk requests are not supported. Send one request for each resource.'],
  [/^\/Me$/i, 'The path /Me is not supported: a SCIM token belongs to no user. Use /Users/{id}.'],
  [/\/\.search$/i, 'Searching by POST is not supported. Send the filter with a GET request.'],
];
const endpoints = new Set(
  Object.values<RouteRow>(scimRoutes).map(({ path }) => path.replace(scimPrefix, '').replace('/{id}', '')),
);

/** Returns 501, 405 or 404. */
export function refuseScimRequest(url: string): ScimError {
  const path = url
    .slice(scimPrefix.length)
    .replace(/[?#].*$/, '')
    .replace(/\/$/, '');
  const [, text] = unsupported.find(([pattern]) => pattern.test(path)) ?? [];
  if (text) return new ScimError(501, text);
  const isEndpoint = endpoints.has(path.replace(/^(\/[^/]+)\/[^/]+$/, '$1'));
  if (isEndpoint) return new ScimError(405, 'This path does not support the method of the request.');
  return new ScimError(404, 'This path does not exist. SCIM serves /Users, /Groups and their discovery.');
}
