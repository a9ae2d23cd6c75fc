import { z } from 'zod';
import type { RoutePermission } from './permissions.ts';

/**
 * API surface, which determines the error format: `public` for model clients (format of the called protocol),
 * `management` for the console (`{detail}`), `scim` for identity providers (SCIM format).
 */
export type Surface = 'public' | 'management' | 'scim';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Declaration of one endpoint. Routing, validation, OpenAPI, the access matrix and the typed client are derived from
 * these declarations, so that undeclared endpoints cannot be served.
 */
export interface RouteRow {
  readonly method: Method;
  /** Path below `base`, with parameters in braces: `/admin/users/{id}`. */
  readonly path: `/${string}`;
  /** Path prefix, `/api/v1` unless a protocol or a health probe requires another. */
  readonly base?: '' | '/api/v1beta';
  readonly surface: Surface;
  /**
   * LiteLLM route: also served below `/v1`, with LiteLLM's error format. `SLUICE_SHORT_PATHS=0` disables these
   * routes.
   */
  readonly format?: 'litellm';
  /** Error format of a public route; defaults to OpenAI's. */
  readonly dialect?: 'anthropic' | 'google';
  readonly permission: RoutePermission;
  /** One-line summary for the API reference. */
  readonly summary: string;
  readonly request?: {
    readonly params?: z.ZodObject;
    readonly query?: z.ZodObject;
    readonly body?: z.ZodType;
    /** Body sent as `application/x-www-form-urlencoded` instead of JSON. */
    readonly form?: z.ZodObject;
  };
  /** Body limit for routes that need more than the console's default. */
  readonly bodyLimitBytes?: number;
  readonly response: z.ZodType;
  /**
   * Whether the route accepts an `Idempotency-Key`: within 24 hours, a repeated request with the same key returns the
   * first response and has no effect. Required for every POST that creates or spends.
   */
  readonly idempotent?: true;
  /** Whether the route concerns the caller and its response includes the effective tenant. */
  readonly tellsTenant?: true;
  /**
   * Whether the route also serves a session whose user must set up a second factor first. All other routes return a
   * 403 to such a session.
   */
  readonly servesSetup?: true;
  /**
   * Whether the route acts as the calling user, whose limits, tasks and tokens exist only in the user's own tenant.
   * Requests that name another tenant are rejected.
   */
  readonly inOwnTenant?: true;
  /**
   * Whether management tokens are rejected: the route concerns sessions, creates or changes credentials, or is for
   * blocked users.
   */
  readonly refusesTokens?: true;
  /**
   * Whether the route also accepts an API key of the caller, except a task key. Other management routes accept
   * sessions only.
   */
  readonly acceptsApiKey?: true;
  /** Media types of the file that the response streams. Clients receive a `Blob`. */
  readonly download?: readonly string[];
  /** Media types of the file that the response streams instead of JSON if the query requests a file. */
  readonly offersFile?: readonly string[];
  /**
   * Whether the response is the same for every caller during the lifetime of the process. Fixed responses have an
   * ETag.
   */
  readonly isFixed?: true;
  /**
   * Request header with the body signature. The handler receives the header and the unchanged body as a `SignedBody`.
   */
  readonly signatureHeader?: string;
  /** Clients that accept `text/event-stream` receive the response as server-sent events. */
  readonly eventStream?: true;
  /** Status of a successful response, 200 by default; 302 for routes that browsers open; 501 for unsupported routes. */
  readonly status?: 201 | 204 | 302 | 501;
}

/** Request header with the id or slug of the tenant that a super administrator acts for. */
export const tenantHeader = 'x-sluice-tenant';

/**
 * Header with the database position of the caller's last change, as 16 hexadecimal digits that compare as text.
 * Responses to changes contain the header. A read that sends the header back reflects the change. Used only with a
 * read replica.
 */
export const positionHeader = 'x-sluice-position';

/**
 * Response header with an instant: the response includes all changes up to this instant. Sent only if the instant is
 * some seconds ago.
 */
export const dataAsOfHeader = 'x-sluice-data-as-of';

/** Whether a route concerns a tenant and therefore honors `tenantHeader`. Routes about the caller do not. */
export function isAboutTenant({ surface, permission, tellsTenant, inOwnTenant }: RouteRow): boolean {
  if (surface !== 'management' || permission === 'anyone' || inOwnTenant) return false;
  return permission !== 'account.read' || tellsTenant === true;
}

/**
 * Returns the read-only fields of an update route: response fields that a client may send back unchanged, without
 * effect.
 */
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

/** Declares the routes of one noun. Route names become the names of client methods and server handlers. */
export function defineRoutes<const Routes extends RouteTable>(routes: Routes): Routes {
  return routes;
}

/** Returns the full path of a route, with parameters in braces. */
export function pathOf(row: RouteRow): string {
  return `${row.base ?? '/api/v1'}${row.path}`;
}

/** Returns all full paths of a route. LiteLLM routes are also served below `/v1`. */
export function pathsOf(row: RouteRow): readonly string[] {
  const path = pathOf(row);
  return row.format === 'litellm' ? [path, `/v1${path}`] : [path];
}

/** Returns a new `Idempotency-Key`. Does not use `crypto.randomUUID`, which browsers provide only on HTTPS pages. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Stores the idempotency keys of requests with unknown outcome: no response, a server failure, or still in progress.
 * A retry of the same request uses the same key.
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
