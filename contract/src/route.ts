import { z } from 'zod';
import type { RoutePermission } from './permissions.ts';

/**
 * Audience of a response: a model client (its protocol's error format), the console (`{detail}`), or an identity provider
 * with a SCIM token (SCIM's error format).
 */
export type Surface = 'public' | 'management' | 'scim';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * One endpoint. Routing, validation, OpenAPI, the access matrix and the typed client are all derived from these rows,
 * so undeclared endpoints cannot be served.
 */
export interface RouteRow {
  readonly method: Method;
  /** Path below `base`, with parameters in braces: `/admin/users/{id}`. */
  readonly path: `/${string}`;
  /** Path prefix, `/api/v1` unless a protocol or a health probe requires another. */
  readonly base?: '' | '/api/v1beta';
  readonly surface: Surface;
  /** LiteLLM call: also served below `/v1`, with LiteLLM's error format; disabled by `SLUICE_SHORT_PATHS=0`. */
  readonly format?: 'litellm';
  /** Error format of a public route; defaults to OpenAI's. */
  readonly dialect?: 'anthropic' | 'google';
  readonly permission: RoutePermission;
  /** One line for the API reference. */
  readonly summary: string;
  readonly request?: {
    readonly params?: z.ZodObject;
    readonly query?: z.ZodObject;
    readonly body?: z.ZodType;
    /** `application/x-www-form-urlencoded` instead of JSON. */
    readonly form?: z.ZodObject;
  };
  /** Body limit for routes that need more than the console's default. */
  readonly bodyLimitBytes?: number;
  readonly response: z.ZodType;
  /**
   * Accepts an `Idempotency-Key`: within 24 hours, a repeated request with the same key returns the first response and
   * has no effect. Required for every POST that creates or spends.
   */
  readonly idempotent?: true;
  /** The route concerns the caller; the response includes the effective tenant. */
  readonly tellsTenant?: true;
  /**
   * Also served to a session whose user must set up a second factor first; all other routes return a 403 to that
   * session.
   */
  readonly servesSetup?: true;
  /**
   * Acts as the user, whose limits, tasks and tokens exist only in their own tenant; naming another tenant is rejected.
   */
  readonly inOwnTenant?: true;
  /** Does not accept management tokens: the route concerns sessions, creates or changes credentials, or is for blocked users. */
  readonly refusesTokens?: true;
  /** Also accepts an API key of the caller, except a task key; other management routes accept sessions only. */
  readonly acceptsApiKey?: true;
  /** Media types of the file that the response streams; clients receive it as a `Blob`. */
  readonly download?: readonly string[];
  /** Media types of the file that the response streams instead of JSON if the query asks for it. */
  readonly offersFile?: readonly string[];
  /** The response is the same for every caller during the lifetime of the process, and has an ETag. */
  readonly isFixed?: true;
  /** Header with the signature of the body; the handler receives both unchanged, as a `SignedBody`. */
  readonly signatureHeader?: string;
  /** Clients that accept `text/event-stream` receive the response as server-sent events. */
  readonly eventStream?: true;
  /** Status of a successful response, 200 by default; 302 for routes that browsers open; 501 for unsupported routes. */
  readonly status?: 201 | 204 | 302 | 501;
}

/** Request header with the id or slug of the tenant that a super administrator acts for. */
export const tenantHeader = 'x-sluice-tenant';

/**
 * Header with the position of the caller's last change: 16 hexadecimal digits that compare as text. Responses to
 * changes contain it; a read that sends it back reflects the change. Used only with a read replica.
 */
export const positionHeader = 'x-sluice-position';

/**
 * Response header with the instant up to which the response includes all changes; sent only if that is some seconds
 * ago.
 */
export const dataAsOfHeader = 'x-sluice-data-as-of';

/** Whether a route concerns a tenant and therefore honors `tenantHeader`; routes about the caller do not. */
export function isAboutTenant({ surface, permission, tellsTenant, inOwnTenant }: RouteRow): boolean {
  if (surface !== 'management' || permission === 'anyone' || inOwnTenant) return false;
  return permission !== 'account.read' || tellsTenant === true;
}

/**
 * Returns the response fields that an update route does not accept. They may be sent back as they were read, without
 * effect.
 */
export function readOnlyFieldsOf({ method, surface, request, response }: RouteRow): readonly string[] {
  const { body } = request ?? {};
  // SCIM bodies are resources; the SCIM handlers read their attributes themselves.
  if (surface === 'scim') return [];
  if (method !== 'PUT' && method !== 'PATCH') return [];
  if (!(body instanceof z.ZodObject && response instanceof z.ZodObject)) return [];
  const answered = Object.keys(response.shape);
  const isSameObject = Object.keys(body.shape).some((name) => answered.includes(name));
  return isSameObject ? answered.filter((name) => !Object.hasOwn(body.shape, name)) : [];
}

export type RouteTable = Readonly<Record<string, RouteRow>>;

/** Declares the routes of one noun; the names become client methods and server handlers. */
export function defineRoutes<const Routes extends RouteTable>(routes: Routes): Routes {
  return routes;
}

/** Returns the full path of a route, with parameters in braces. */
export function pathOf(row: RouteRow): string {
  return `${row.base ?? '/api/v1'}${row.path}`;
}

/** Returns all full paths of a route: LiteLLM calls are also served below `/v1`. */
export function pathsOf(row: RouteRow): readonly string[] {
  const path = pathOf(row);
  return row.format === 'litellm' ? [path, `/v1${path}`] : [path];
}

/** Returns a new `Idempotency-Key`. `crypto.randomUUID` is available only on pages served over HTTPS. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Stores the keys of requests with unknown outcome: no response, a server failure, or still in progress. A retry of
 * the same request uses the same key.
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
