import { z } from 'zod';
import type { RoutePermission } from './permissions.ts';

/** Who the answers are written for: a model client (its protocol's error shape) or our own console (`{detail}`). */
export type Surface = 'public' | 'management';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * One endpoint. Routing, validation, OpenAPI, the access matrix and the typed client all read these rows,
 * so nothing can be served that is not declared here.
 */
export interface RouteRow {
  readonly method: Method;
  /** Path below `base`, parameters in braces: `/admin/users/{id}`. */
  readonly path: `/${string}`;
  /** Prefix of the path, `/api/v1` unless a protocol or an operator's probe demands another. */
  readonly base?: '' | '/api/v1beta';
  readonly surface: Surface;
  /** Whose error shape the refusals of a public row have, OpenAI's unless given. */
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
  /** How large a body may be, where it is more than the console takes by itself. */
  readonly bodyLimitBytes?: number;
  readonly response: z.ZodType;
  /**
   * Takes an `Idempotency-Key`: a repetition with the same key within 24 hours answers what the first answered, and does
   * nothing. Each POST that creates or spends has it.
   */
  readonly idempotent?: true;
  /** Of a row about oneself: it says in which tenant one acts. */
  readonly tellsTenant?: true;
  /** Asks models as the person, who has limits and tasks in their own tenant alone: to name another one is refused. */
  readonly inOwnTenant?: true;
  /** The answer is a file of one of these media types, sent as it is read; clients get it as a `Blob`. */
  readonly download?: readonly string[];
  /** The answer is the same for every caller as long as the process lives, and has an ETag. */
  readonly isFixed?: true;
  /** The body is signed by this header: the handler gets both as they came, a `SignedBody`. */
  readonly signatureHeader?: string;
  /** Whoever accepts `text/event-stream` gets the answer as events, while it comes. */
  readonly eventStream?: true;
  /** Status of a successful answer, 200 unless given; 501 for what is only declared to be refused. */
  readonly status?: 201 | 204 | 501;
}

/** By this header of a call a super administrator says which tenant it is about: the tenant's id or slug. */
export const tenantHeader = 'x-sluice-tenant';

/** Whether a row is about a tenant, so that it heeds the header; those about oneself are not. */
export function isAboutTenant({ surface, permission, tellsTenant, inOwnTenant }: RouteRow): boolean {
  if (surface !== 'management' || permission === 'anyone' || inOwnTenant) return false;
  return permission !== 'account.read' || tellsTenant === true;
}

/**
 * The fields that a row answers and does not take, where it changes an object: they may be sent back as they were read,
 * and whatever they say changes nothing.
 */
export function readOnlyFieldsOf({ method, request, response }: RouteRow): readonly string[] {
  const { body } = request ?? {};
  if (method !== 'PUT' && method !== 'PATCH') return [];
  if (!(body instanceof z.ZodObject && response instanceof z.ZodObject)) return [];
  const answered = Object.keys(response.shape);
  const isSameObject = Object.keys(body.shape).some((name) => answered.includes(name));
  return isSameObject ? answered.filter((name) => !Object.hasOwn(body.shape, name)) : [];
}

export type RouteTable = Readonly<Record<string, RouteRow>>;

/** Declares the routes of one noun; the names become the client's methods and the server's handlers. */
export function defineRoutes<const Routes extends RouteTable>(routes: Routes): Routes {
  return routes;
}

/** The full path of a row, parameters still in braces. */
export function pathOf(row: RouteRow): string {
  return `${row.base ?? '/api/v1'}${row.path}`;
}
