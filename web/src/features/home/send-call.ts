import { tenantHeaders } from '../../lib/acting-tenant.ts';
import { readToken } from '../../lib/token.ts';
import type { Operation } from './read-openapi.ts';

export interface CallAnswer {
  readonly status: number;
  readonly milliseconds: number;
  readonly requestId: string | null;
  /** Indented if it is JSON. */
  readonly text: string;
}

type Values = Readonly<Record<string, string>>;

/** Calls an endpoint of this server with the browser's session. @throws SyntaxError if the body is not JSON */
export async function sendCall(operation: Operation, values: Values, body: string): Promise<CallAnswer> {
  const startedMs = performance.now();
  const sent = operation.body === null ? null : encodeBody(operation.body.mediaType, body);
  const response = await fetch(addressOf(operation, values), {
    method: operation.method,
    headers: { ...authorization(), ...headersOf(operation, values), ...sent?.headers },
    ...(sent && { body: sent.text }),
  });
  const text = await response.text();
  return {
    status: response.status,
    milliseconds: Math.round(performance.now() - startedMs),
    requestId: response.headers.get('x-request-id'),
    text: indent(text),
  };
}

export function addressOf(
  { path, parameters }: Pick<Operation, 'path' | 'parameters'>,
  values: Values,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  const query = new URLSearchParams();
  for (const { name, place } of parameters) {
    const value = values[name];
    if (place === 'query' && value) query.set(name, value);
  }
  return query.size === 0 ? filled : `${filled}?${query}`;
}

function headersOf({ parameters }: Operation, values: Values): Record<string, string> {
  const given = parameters.filter(({ name, place }) => place === 'header' && values[name]);
  return Object.fromEntries(given.map(({ name }) => [name, values[name] ?? '']));
}

function authorization(): Record<string, string> {
  const token = readToken();
  return token === null ? {} : { authorization: `Bearer ${token}`, ...tenantHeaders() };
}

export function encodeBody(mediaType: string, text: string) {
  const value: unknown = parseJson(text);
  const isForm = mediaType === 'application/x-www-form-urlencoded';
  const fields = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const form = new URLSearchParams(fields.map(([name, field]) => [name, String(field)]));
  return { headers: { 'content-type': mediaType }, text: isForm ? form.toString() : text };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SyntaxError('The body is not valid JSON');
  }
}

function indent(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
