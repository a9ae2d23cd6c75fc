import { z } from 'zod';
import type { RoutePermission } from './permissions.ts';

/**
 * Determines the error format: `public` uses the format of the called protocol, `management` uses `{detail}`, `scim`
 * the SCIM format.
 */
export type Surface = 'public' | 'management' | 'scim';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Routing, validation, OpenAPI, the access matrix and the typed client are derived from the declarations, so that
 * undeclared endpoints cannot be served.
 */
export interface RouteRow {
  readonly method: Method;
  /** Path below `base`, with parameters in braces: `/admin/users/{id}`. */
  readonly path: `/${string}`;
  /** `/api/v1` unless a protocol or a health probe requires another prefix. */
  readonly base?: '' | '/api/v1beta';
  readonly surface: Surface;
  /** Also served below `/v1`, with LiteLLM's error format. `SLUICE_SHORT_PATHS=0` disables these routes. */
  readonly format?: 'litellm';
  /** Error format of a public route. Defaults to OpenAI's. */
  readonly dialect?: 'anthropic' | 'google';
  readonly permission: RoutePermission;
  readonly summary: string;
  readonly request?: {
    readonly params?: z.ZodObject;
    readonly query?: z.ZodObject;
    readonly body?: z.ZodType;
    /** Body sent as `application/x-www-form-urlencoded` instead of JSON. */
    readonly form?: z.ZodObject;
  };
  /** Set if the route accepts larger bodies than the default of the console. */
  readonly bodyLimitBytes?: number;
  readonly response: z.ZodType;
  /**
   * Within 24 hours, a repeated request with the same `Idempotency-Key` returns the first response and has no effect.
   * Required for every POST that creates or spends.
   */
  readonly idempotent?: true;
  /** Whether the route concerns the caller and the response includes the effective tenant. */
  readonly tellsTenant?: true;
  /**
   * Whether the route also accepts sessions of users who must set up a second factor first. Other routes reject these
   * with 403.
   */
  readonly servesSetup?: true;
  /**
   * Whether the route acts as the calling user, whose limits, tasks and tokens exist only in the user's own tenant.
   * Requests that name another tenant are rejected.
   */
  readonly inOwnTenant?: true;
  /**
   * Set if the route concerns sessions, creates or changes credentials, or is for blocked users. Management tokens
   * are then rejected.
   */
  readonly refusesTokens?: true;
  /** Whether the route also accepts an API key of the caller, except a task key. */
  readonly acceptsApiKey?: true;
  /** Media types of the streamed file. Clients receive a `Blob`. */
  readonly download?: readonly string[];
  /** Media types of the file that is streamed instead of JSON if the query requests a file. */
  readonly offersFile?: readonly string[];
  /** Fixed responses are the same for every caller and have an ETag. */
  readonly isFixed?: true;
  /** The handler receives the header and the unchanged body as a `SignedBody`. */
  readonly signatureHeader?: string;
  /** Clients that accept `text/event-stream` receive server-sent events. */
  readonly eventStream?: true;
  /** 200 by default, 302 for routes that browsers open, 501 for unsupported routes. */
  readonly status?: 201 | 204 | 302 | 501;
}

/** Id or slug of the tenant that a super administrator acts for. */
export const tenantHeader = 'x-sluice-tenant';

/**
 * Database position of the caller's last change, as 16 hexadecimal digits that compare as text. A read that sends the
 * header back reflects the change. Used only with a read replica.
 */
export const positionHeader = 'x-sluice-position';

/** The response includes all changes up to this instant. Sent only if the instant is some seconds ago. */
export const dataAsOfHeader = 'x-sluice-data-as-of';

/** Only routes about a tenant honor `tenantHeader`. Routes about the caller do not. */
export function isAboutTenant({ surface, permission, tellsTenant, inOwnTenant }: RouteRow): boolean {
  if (surface !== 'management' || permission === 'anyone' || inOwnTenant) return false;
  return permission !== 'account.read' || tellsTenant === true;
}

/** Returns the response fields that a client may send back unchanged, without effect. */
export function readOnlyFieldsOf({ method, surface, request, response }: RouteRow): readonly string[] {
  const { body } = request ?? {};
  // SCIM handlers read the attributes of request bodies themselves.
  if (surface === 'scim') return [];
  if (method !== 'PUT' && method !== 'PATCH') return [];
  if (!(body instanceof z.ZodObject && response instanceof z.ZodObject)) return [];
  const answered = Object.keys(response.shape);
  const isSameObject = Object.keys(body.shape).some((name) => answered.includes(name));
  return isSameObject ? answered.filter((name) => !Object.hasOwn(body.shape, name)) : [];
}

export type RouteTable = Readonly<Record<string, RouteRow>>;

/** Route names become the names of client methods and server handlers. */
export function defineRoutes<const Routes extends RouteTable>(routes: Routes): Routes {
  return routes;
}

export function pathOf(row: RouteRow): string {
  return `${row.base ?? '/api/v1'}${row.path}`;
}

/** LiteLLM routes are also served below `/v1`. */
export function pathsOf(row: RouteRow): readonly string[] {
  const path = pathOf(row);
  return row.format === 'litellm' ? [path, `/v1${path}`] : [path];
}

/** Does not use `crypto.randomUUID`, which browsers provide only on HTTPS pages. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * A retry uses the same key if the outcome of the first request is unknown: no response, a server failure, or still
 * in progress.
 */
export class OpenIdempotencyKeys {
  readonly #keys = new Map<string, string>();

  keyOf(request: string): string {
    const key = this.#keys.get(request) ?? newIdempotencyKey();
    this.#keys.set(request, key);
    return key;
  }

  settle(request: string, status: number): void {
    if (status < 500 && status !== 409) this.#keys.delete(request);
  }
}
