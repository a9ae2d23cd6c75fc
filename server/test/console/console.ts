import type { Client, RoleName, RouteRow, RouteTable } from '@sluice/contract';
import type pg from 'pg';
import type { DiscoverModelsDeps } from '#console/llm-providers/discover-models.ts';
import { createRunInTenant, type OpenTenantLog } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { type Download, FileAnswer, type Handlers, type RequestContext } from '#http/console-route.ts';
import { postgresRequestLog } from '#request-log/postgres/postgres-request-log.ts';

export interface Caller extends Partial<Pick<RequestContext, 'address' | 'userAgent'>> {
  principal?: Principal;
  headers?: Readonly<Record<string, string>>;
}

/**
 * Calls handlers as the server does: the route's schemas parse input and response. Rejects with a ZodError if a body
 * is invalid. The request log is in PostgreSQL by default.
 */
export function createTestConsole<Routes extends RouteTable>(
  pool: pg.Pool,
  routes: Routes,
  handlers: Handlers<Routes>,
  openLog: OpenTenantLog = postgresRequestLog.openTenant,
): (caller?: Caller) => Client<Routes> {
  const inTenant = createRunInTenant(pool, openLog);
  const call =
    (name: string, row: RouteRow, caller: Caller) =>
    async (input: Record<string, unknown> = {}, options: { onHeaders?: (headers: Headers) => void } = {}) => {
      const { principal, address = '192.0.2.1', userAgent = 'test' } = caller;
      const headers = new Headers();
      const requestId = crypto.randomUUID();
      const actor = { userId: principal?.userId ?? null, action: name, requestId, address };
      const ctx = {
        requestId,
        address,
        userAgent,
        actor,
        findCaller: async () => principal ?? null,
        setHeader: (header: string, value: string) => headers.set(header, value),
        readHeader: (header: string) => caller.headers?.[header] ?? null,
        principal,
        inTenant: (work: never) => inTenant(principal?.tenantId ?? Number.NaN, work, actor),
        readInTenant: (work: never) => inTenant(principal?.tenantId ?? Number.NaN, work, actor),
        askGateway: () => Promise.reject(new Error('this test calls no gateway')),
        runIdempotent: (_tx: unknown, work: () => Promise<unknown>) => work(),
      };
      // safe because the table types each handler by its route, and the route's own schemas parse its input
      const handler = handlers[name] as unknown as (ctx: object, input: object) => Promise<unknown>;
      const answer = await handler(ctx, parseInput(row, input));
      options.onHeaders?.(headers);
      // safe because handlers of routes with `download` return a Download
      if (row.download) return new Blob(await Array.fromAsync((answer as Download).text));
      if (answer instanceof FileAnswer) return new Blob(await Array.fromAsync(answer.file.text));
      return row.response.parse(answer);
    };
  return (caller = {}) => {
    const calls = Object.entries(routes).map(([name, row]) => [name, call(name, row, caller)]);
    // safe because each entry returns what its route declares
    return Object.fromEntries(calls) as Client<Routes>;
  };
}

function parseInput({ request = {} }: RouteRow, input: Record<string, unknown>): object {
  return Object.fromEntries(
    Object.entries(request).map(([part, schema]) => [
      part,
      schema.parse(input[part] ?? (part === 'query' ? {} : undefined)),
    ]),
  );
}

export async function addTenant(
  pool: pg.Pool,
  name: string,
  limits: { userLimit?: number; adminLimit?: number; timeZone?: string } = {},
): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    'INSERT INTO tenants (name, slug, user_limit, admin_limit, time_zone) VALUES ($1, lower($1), $2, $3, $4) RETURNING id',
    [name, limits.userLimit ?? null, limits.adminLimit ?? null, limits.timeZone ?? 'UTC'],
  );
  return rows[0]!.id;
}

export async function addPerson(
  pool: pg.Pool,
  tenantId: number,
  role: RoleName,
  email: string,
): Promise<Principal> {
  const name = email.replace(/@.*/, '');
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO users (tenant_id, role_id, email, name, password_hash)
     SELECT $1, id, $3, $4, 'x' FROM roles WHERE name = $2 RETURNING id`,
    [tenantId, role, email, name],
  );
  return {
    userId: rows[0]!.id,
    tenantId,
    name,
    email,
    role,
    credential: { kind: 'session', sessionId: 'test' },
    blockedReason: null,
  };
}

/** Returns the service account's id. */
export async function addServiceAccount(
  pool: pg.Pool,
  tenantId: number,
  name: string,
  teamId: number | null = null,
): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO users (tenant_id, role_id, email, name, password_hash, account_kind, owner_team_id, scores_deviation)
     SELECT $1, id, gen_random_uuid() || '@service-account.invalid', $2 || ' ' || gen_random_uuid(), 'x', 'service', $3, false
     FROM roles WHERE name = 'user' RETURNING id`,
    [tenantId, name, teamId],
  );
  return rows[0]!.id;
}

export const noProvider: DiscoverModelsDeps = {
  upstream: {
    send: () => Promise.reject(new Error('this test calls no provider')),
    close: () => Promise.resolve(),
  },
  sandboxOrigin: null,
};
