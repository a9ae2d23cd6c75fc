import { contract, pathOf, type RouteRow } from '@sluice/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RunInTenant } from '#db/tenant.ts';
import { isAllowed, type Principal } from '#domain/principal.ts';
import { ConsoleError } from '#errors/console-error.ts';
import type { Handlers, RequestContext, SignedInContext } from './console-route.ts';
import { validateInput } from './validate-input.ts';

type ManagementNoun = Exclude<keyof typeof contract, 'completions' | 'models'>;

/** Every management noun of the contract with its handlers; one missing does not compile. */
export type ConsoleHandlers = { readonly [Noun in ManagementNoun]: Handlers<(typeof contract)[Noun]> };

export interface ConsoleRoutesDeps {
  readonly handlers: ConsoleHandlers;
  readonly runInTenant: RunInTenant;
  /** The principal of a session token, or `null`. */
  readonly authenticateSession: (token: string) => Promise<Principal | null>;
  /** False when credentials cannot be checked at the moment. */
  readonly isFresh: () => boolean;
}

/** Serves the contract's management rows, and nothing that is not a row. */
export function registerConsoleRoutes(app: FastifyInstance, deps: ConsoleRoutesDeps): void {
  for (const [noun, handlers] of Object.entries(deps.handlers)) {
    const rows: Record<string, RouteRow> = contract[noun as ManagementNoun]; // safe because the handlers' nouns are the contract's
    for (const [name, row] of Object.entries(rows)) {
      // safe because Handlers<Routes> has the row's own handler under the row's name
      const handler = handlers[name as keyof typeof handlers] as unknown as AnyHandler;
      registerRow(app, row, handler, deps);
    }
  }
}

type AnyHandler = (
  ctx: RequestContext | SignedInContext,
  input: ReturnType<typeof validateInput>,
) => Promise<unknown>;

/** A session's answer is small; the largest body of the console is a list of grants. */
const bodyLimitBytes = 1024 * 1024;
const formLimitBytes = 4 * 1024;

function registerRow(
  app: FastifyInstance,
  row: RouteRow,
  handler: AnyHandler,
  deps: ConsoleRoutesDeps,
): void {
  app.route({
    method: row.method,
    url: pathOf(row).replace(/\{(\w+)\}/g, ':$1'),
    bodyLimit: row.request?.form ? formLimitBytes : bodyLimitBytes,
    async handler(request, reply) {
      const ctx: RequestContext = {
        requestId: request.id,
        address: request.ip,
        userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
        setHeader: (name, value) => void reply.header(name, value),
      };
      const signedIn = row.permission === 'anyone' ? ctx : await signIn(ctx, row, request, deps);
      const answer = await handler(signedIn, validateInput(row, request));
      return reply.status(row.status ?? 200).send(row.response.parse(answer));
    },
  });
}

async function signIn(
  ctx: RequestContext,
  row: RouteRow,
  request: FastifyRequest,
  deps: ConsoleRoutesDeps,
): Promise<SignedInContext> {
  const token = request.headers.authorization?.match(/^Bearer +(\S+) *$/i)?.[1];
  if (!token) throw new ConsoleError(401, 'Not authenticated');
  if (!deps.isFresh())
    throw new ConsoleError(503, 'Credentials cannot be checked at the moment. Please retry.', 1);
  const principal = await deps.authenticateSession(token);
  if (!principal) throw new ConsoleError(401, 'Could not validate credentials');
  if (row.permission !== 'anyone' && !isAllowed(principal, row.permission)) {
    throw new ConsoleError(
      403,
      principal.blockedReason === null ? 'Not enough permissions' : 'Your account is blocked',
    );
  }
  return { ...ctx, principal, inTenant: (work) => deps.runInTenant(principal.tenantId, work) };
}
