import { contract, dataAsOfHeader, pathsOf, positionHeader, type RouteRow } from '@sluice/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ConnectionShare, shareOf, shareOfAddress, withShare } from '#db/fair-pool.ts';
import type { ReportRead } from '#db/replica/report-read.ts';
import type { RunInTenant } from '#db/tenant.ts';
import { mustSetUpSecondFactor, type Principal } from '#domain/principal.ts';
import { findRepeatedHeader } from '#domain/repeated-header.ts';
import { ConsoleError } from '#errors/console-error.ts';
import { createRunIdempotent } from '#idempotency/idempotency-key.ts';
import type { Keyring } from '#platform/keyring.ts';
import type { Turns } from '#platform/paced-work.ts';
import type { AskGateway } from './ask-gateway.ts';
import { type AuthorizeDeps, authorize, readToken } from './authorize.ts';
import type { RequestSource } from './caller-address.ts';
import {
  type Download,
  EventStream,
  FileAnswer,
  type Handlers,
  type IdempotentContext,
  type RequestContext,
  type SignedBody,
  type SignedInContext,
  type WithIdempotency,
} from './console-route.ts';
import { FixedAnswer, sendFixedAnswer } from './fixed-answer.ts';
import { acceptBytes, acceptForm, acceptJson, readIdempotencyKey, refuseCompressed } from './read-body.ts';
import { toRouterPath } from './require-declared-routes.ts';
import { sendDownload, sendEvents } from './send-streams.ts';
import { validateInput } from './validate-input.ts';

type Nouns = typeof contract;
type SurfaceOf<Noun extends keyof Nouns> = {
  [Row in keyof Nouns[Noun]]: Nouns[Noun][Row];
}[keyof Nouns[Noun]] extends {
  readonly surface: infer Surface;
}
  ? Surface
  : never;
type ManagementNoun = {
  [Noun in keyof Nouns]: SurfaceOf<Noun> extends 'management' ? Noun : never;
}[keyof Nouns];

/** A missing handler does not compile. */
export type ConsoleHandlers = { readonly [Noun in ManagementNoun]: Handlers<(typeof contract)[Noun]> };

export interface ConsoleRoutesDeps extends AuthorizeDeps {
  readonly handlers: ConsoleHandlers;
  readonly runInTenant: RunInTenant;
  readonly keyring: Pick<Keyring, 'sealingKey'>;
  /** Schedules the parsing of expensive bodies fairly across callers. */
  readonly turns: Turns;
  readonly askGatewayAs: (authorization: string) => AskGateway;
  /** Resolves after a short wait, usually once previous changes are effective on every worker of this node. */
  readonly whenChangesHold: () => Promise<void>;
  /** Returns a log position after all committed changes. Present only with a read replica. */
  readonly readWritePosition?: (() => Promise<string>) | undefined;
  /** Called with each request of a signed-in user. */
  readonly onSignedInRequest?: (principal: Principal, source: RequestSource) => void;
  readonly isServed: (row: RouteRow) => boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null;
  }
}

export async function registerConsoleRoutes(app: FastifyInstance, deps: ConsoleRoutesDeps): Promise<void> {
  const routes = listRoutes(deps.handlers).filter(({ row }) => deps.isServed(row));
  app.decorateRequest('principal', null);
  await app.register(async (scope) => {
    acceptJson(scope, deps.turns);
    for (const route of routes)
      if (!route.row.request?.form && !route.row.signatureHeader) register(scope, route, deps);
  });
  await app.register(async (scope) => {
    acceptBytes(scope);
    for (const route of routes) if (route.row.signatureHeader) register(scope, route, deps);
  });
  await app.register(async (scope) => {
    await acceptForm(scope);
    for (const route of routes) if (route.row.request?.form) register(scope, route, deps);
  });
}

interface ConsoleRoute {
  readonly name: string;
  readonly row: RouteRow;
  readonly handler: (
    ctx: RequestContext | SignedInContext,
    input: ReturnType<typeof validateInput>,
  ) => Promise<unknown>;
}

function listRoutes(handlers: ConsoleHandlers): ConsoleRoute[] {
  return Object.entries(handlers).flatMap(([noun, handlersOfNoun]) => {
    const rows: Record<string, RouteRow> = contract[noun as ManagementNoun]; // safe because the nouns of the handlers are those of the contract
    return Object.entries(rows).map(([name, row]) => ({
      name,
      row,
      // safe because Handlers<Routes> has the row's own handler under the row's name
      handler: handlersOfNoun[name as keyof typeof handlersOfNoun] as unknown as ConsoleRoute['handler'],
    }));
  });
}

/** Sufficient for a list of grants. Rows with larger bodies declare a limit, and public rows have a lower one. */
const bodyLimitBytes = 1024 * 1024;
const strangersLimitBytes = 16 * 1024;
const formLimitBytes = 4 * 1024;
/** Payment events have some KiB, or a few hundred for large invoices. */
const signedLimitBytes = 512 * 1024;

function findBodyLimit(row: RouteRow): number {
  const { permission, request, signatureHeader } = row;
  if (signatureHeader) return signedLimitBytes;
  if (request?.form) return formLimitBytes;
  return permission === 'anyone' ? strangersLimitBytes : (row.bodyLimitBytes ?? bodyLimitBytes);
}

function register(scope: FastifyInstance, route: ConsoleRoute, deps: ConsoleRoutesDeps): void {
  const { row, handler } = route;
  for (const path of pathsOf(row)) {
    scope.route({
      method: row.method,
      url: toRouterPath(path),
      bodyLimit: findBodyLimit(row),
      // Runs before the body is read, so that no unauthenticated body is parsed.
      async onRequest(request) {
        const problem = findRepeatedHeader(request.raw.rawHeaders);
        if (problem) throw new ConsoleError(400, problem);
        request.principal = await authorize(route, request, deps);
        refuseCompressed(request);
      },
      handler: (request, reply) => withShare(findShare(request), () => handle(request, reply)),
    });
  }

  async function handle(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const parsed = validateInput(row, request);
    const input = row.signatureHeader
      ? { ...parsed, body: toSignedBody(row.signatureHeader, request) }
      : parsed;
    const ctx = createContext(route, request, reply, deps);
    const answer = await handler(
      row.idempotent ? withIdempotency(ctx, deps, route, request, input) : ctx,
      input,
    );
    if (row.method !== 'GET') await Promise.all([deps.whenChangesHold(), sendPosition(request, reply, deps)]);
    // safe because handlers of rows with `download` return a Download
    if (row.download) return sendDownload(reply, answer as Download);
    if (answer instanceof FileAnswer) return sendDownload(reply, answer.file);
    if (answer instanceof FixedAnswer) return sendFixedAnswer(reply, request.headers, answer);
    if (answer instanceof EventStream) return sendEvents(reply, answer);
    return reply.status(row.status ?? 200).send(row.response.parse(answer));
  }
}

/** Sends the database position after the caller's changes, for reads that must include these changes. */
async function sendPosition(
  { principal }: FastifyRequest,
  reply: FastifyReply,
  { readWritePosition }: ConsoleRoutesDeps,
): Promise<void> {
  if (principal && readWritePosition) reply.header(positionHeader, await readWritePosition());
}

function findShare({ ip, principal }: FastifyRequest): ConnectionShare {
  return principal ? shareOf(principal) : shareOfAddress(ip);
}

function toSignedBody(header: string, { headers, body }: FastifyRequest): SignedBody {
  const signature = headers[header];
  return {
    bytes: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
    signature: typeof signature === 'string' ? signature : '',
  };
}

function createContext(
  { name, row }: ConsoleRoute,
  request: FastifyRequest,
  reply: FastifyReply,
  { askGatewayAs, authenticateSession, findSource, runInTenant, onSignedInRequest }: ConsoleRoutesDeps,
): RequestContext | SignedInContext {
  const { principal } = request;
  const source = findSource(request.raw);
  const { address } = source;
  const actor = {
    userId: principal?.userId ?? null,
    action: name,
    requestId: request.id,
    address,
  };
  if (principal) onSignedInRequest?.(principal, source);
  const ctx: RequestContext = {
    requestId: request.id,
    address,
    wantsEvents: /\btext\/event-stream\b/.test(request.headers.accept ?? ''),
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
    actor,
    bearerToken: readToken(request) ?? null,
    async findCaller() {
      const token = readToken(request);
      const caller = principal ?? (token === undefined ? null : await authenticateSession(token));
      return caller && mustSetUpSecondFactor(caller) ? null : caller;
    },
    setHeader: (name, value) => void reply.header(name, value),
    readHeader(name) {
      const value = request.headers[name];
      return typeof value === 'string' ? value : null;
    },
  };
  if (!principal) return ctx;
  const share = shareOf(principal);
  const reportRead = row.method === 'GET' ? createReportRead(ctx, reply) : undefined;
  return {
    ...ctx,
    principal,
    // Downloads and streams continue reading after the handler has returned.
    inTenant: (work) => withShare(share, () => runInTenant(principal.tenantId, work, actor, reportRead)),
    askGateway: askGatewayAs(request.headers.authorization ?? ''),
  };
}

function createReportRead({ readHeader, setHeader }: RequestContext, reply: FastifyReply): ReportRead {
  return {
    after: readHeader(positionHeader),
    // Downloads continue reading after their headers were sent.
    onStale: (at) => (reply.raw.headersSent ? undefined : setHeader(dataAsOfHeader, at.toISOString())),
  };
}

/** `runIdempotent` also runs the first tenant transaction of a signed-in caller. */
function withIdempotency(
  ctx: RequestContext | SignedInContext,
  { keyring }: ConsoleRoutesDeps,
  { name }: ConsoleRoute,
  request: FastifyRequest,
  input: unknown,
): (RequestContext & WithIdempotency) | IdempotentContext {
  const { tenantId, userId } = 'principal' in ctx ? ctx.principal : { tenantId: null, userId: null };
  const runIdempotent = createRunIdempotent({
    key: readIdempotencyKey(request.headers['idempotency-key']),
    tenantId,
    actorId: userId,
    route: name,
    input,
    sealingKey: keyring.sealingKey,
    onReplay: () => ctx.setHeader('idempotent-replayed', 'true'),
  });
  if (!('principal' in ctx)) return { ...ctx, runIdempotent };
  let isBegun = false;
  const inTenant: SignedInContext['inTenant'] = (work) => {
    if (isBegun) return ctx.inTenant(work);
    isBegun = true;
    return ctx.inTenant((tx) => runIdempotent(tx, () => work(tx)));
  };
  return { ...ctx, inTenant, runIdempotent, readInTenant: ctx.inTenant };
}
