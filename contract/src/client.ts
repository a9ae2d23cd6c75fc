import type { z } from 'zod';
import { formatDecimal } from './decimal-number.ts';
import type { FieldProblem } from './errors.ts';
import { OpenIdempotencyKeys, pathOf, type RouteRow, type RouteTable, tenantHeader } from './route.ts';

type Part<Row extends RouteRow, Name extends keyof NonNullable<Row['request']>> = Row extends {
  request: { [Key in Name]: infer Schema extends z.ZodType };
}
  ? { [Key in Name]: z.input<Schema> }
  : unknown;

type Input<Row extends RouteRow> = Part<Row, 'params'> &
  Part<Row, 'query'> &
  Part<Row, 'body'> &
  Part<Row, 'form'>;

type Answer<Row extends RouteRow> = Row extends { download: object }
  ? Blob
  : z.output<Row['response']> | (Row extends { offersFile: object } ? Blob : never);

type Call<Row extends RouteRow> = Row extends { request: object }
  ? (input: Input<Row>, options?: CallOptions) => Promise<Answer<Row>>
  : (input?: undefined, options?: CallOptions) => Promise<Answer<Row>>;

export interface CallOptions {
  signal?: AbortSignal;
  /**
   * `Idempotency-Key` header of `idempotent` routes. If omitted, the client generates a key and reuses it when the
   * caller repeats the call after a missing response or a server failure.
   */
  idempotencyKey?: string;
  /** For super administrators. Defaults to the tenant that the administrator acts for. */
  tenantId?: number;
  /** Called with the response headers, such as `x-total-count`. */
  onHeaders?: (headers: Headers) => void;
  /** Number of file bytes received so far, on `download` routes. */
  onBytes?: (count: number) => void;
}

export type Client<Routes extends RouteTable> = { readonly [Name in keyof Routes]: Call<Routes[Name]> };

export interface ClientOptions {
  /** An empty string means the origin of the page. */
  baseUrl: string;
  /** Called for each call, for example to add the current bearer token. */
  headers: () => Record<string, string>;
  onHeaders?: (headers: Headers) => void;
  /** Called on each 401 response, before the error is thrown. */
  onUnauthorized?: () => void;
  /** Awaited before each call. */
  until?: () => Promise<void>;
}

/** `message` is the `detail` of the response, or `HTTP {status}` without a `detail`. */
export class ApiError extends Error {
  readonly status: number;
  /** Whether the server sent a message. */
  readonly isExplained: boolean;
  readonly fieldProblems: readonly FieldProblem[];
  readonly requestId: string | null;
  readonly body: unknown;

  constructor(
    status: number,
    detail: string,
    fieldProblems: readonly FieldProblem[],
    requestId: string | null,
    body: unknown = null,
  ) {
    super(detail || (status ? `HTTP ${status}` : 'An error occurred'));
    this.name = 'ApiError';
    this.status = status;
    this.isExplained = detail !== '';
    this.fieldProblems = fieldProblems;
    this.requestId = requestId;
    this.body = body;
  }
}

export function createClient<Routes extends RouteTable>(
  routes: Routes,
  options: ClientOptions,
): Client<Routes> {
  const calls = Object.entries(routes).map(([name, row]) => [name, bindCall(row, options)]);
  // safe because each entry calls the route of the same name
  return Object.fromEntries(calls) as Client<Routes>;
}

interface AnyInput {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  form?: Record<string, unknown>;
}

function bindCall(row: RouteRow, options: ClientOptions) {
  const openKeys = new OpenIdempotencyKeys();
  return async (input: AnyInput = {}, callOptions: CallOptions = {}): Promise<unknown> => {
    if (options.until) await options.until();
    const headers: Record<string, string> = {
      accept: row.download?.join() ?? ['application/json', ...(row.offersFile ?? [])].join(),
      ...options.headers(),
    };
    if (callOptions.tenantId !== undefined) headers[tenantHeader] = String(callOptions.tenantId);
    const request = JSON.stringify([input, callOptions.tenantId]);
    if (row.idempotent) headers['idempotency-key'] = callOptions.idempotencyKey ?? openKeys.keyOf(request);
    const body = encodeBody(input, headers);
    const response = await fetch(options.baseUrl + buildPath(row, input), {
      method: row.method,
      headers,
      ...(body === undefined ? {} : { body }),
      ...(callOptions.signal ? { signal: callOptions.signal } : {}),
    });
    openKeys.settle(request, response.status);
    options.onHeaders?.(response.headers);
    callOptions.onHeaders?.(response.headers);
    if (!response.ok) {
      if (response.status === 401) options.onUnauthorized?.();
      throw await readError(response);
    }
    const isFile = row.download || (row.offersFile && !isJson(response));
    if (isFile) return readFile(response, callOptions.onBytes);
    return response.status === 204 ? undefined : response.json();
  };
}

const isJson = ({ headers }: Response) =>
  headers.get('content-type')?.startsWith('application/json') === true;

async function readFile(response: Response, onBytes: CallOptions['onBytes']): Promise<Blob> {
  if (!onBytes || !response.body) return response.blob();
  let count = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform: (part, controller) => {
        count += part.byteLength;
        onBytes(count);
        controller.enqueue(part);
      },
    }),
  );
  return new Response(counted, { headers: response.headers }).blob();
}

function encodeBody(input: AnyInput, headers: Record<string, string>): string | URLSearchParams | undefined {
  if (input.form) return toSearchParams(input.form);
  if (input.body === undefined) return undefined;
  headers['content-type'] = 'application/json';
  return JSON.stringify(input.body);
}

function buildPath(row: RouteRow, input: AnyInput): string {
  const path = pathOf(row).replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(input.params?.[name])),
  );
  const query = toSearchParams(input.query ?? {}).toString();
  return query === '' ? path : `${path}?${query}`;
}

function toSearchParams(fields: Record<string, unknown>): URLSearchParams {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return new URLSearchParams(
    given.flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((one: unknown) => [
        name,
        typeof one === 'number' ? formatDecimal(one) : String(one),
      ]),
    ),
  );
}

/** Error body of the management surface, or of the public surface in OpenAI's format. */
interface Refusal {
  readonly detail?: string | FieldProblem[];
  readonly error?: { readonly message: string };
}

async function readError(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null);
  // safe because the server's errors match managementError and openaiError
  const { detail, error } = (body ?? {}) as Refusal;
  const problems = Array.isArray(detail) ? detail : [];
  const detailText = typeof detail === 'string' ? detail : problems.map((problem) => problem.msg).join(', ');
  const text = detailText || (error?.message ?? '');
  return new ApiError(response.status, text, problems, response.headers.get('x-request-id'), body);
}
