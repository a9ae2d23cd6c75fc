import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { WritableJournal } from '../journal.ts';
import type { Problem } from '../request/problem.ts';

/** Vendor API that the sandbox implements: authentication, error format and endpoints. */
export interface Vendor {
  /** Name of the vendor and first path segment that selects it, for example in `/cohere/v1/models`. */
  name: string;
  /** Whether a path without that segment belongs to this vendor. */
  owns(path: string, headers: IncomingHttpHeaders): boolean;
  /** Throws `RequestRefused`. */
  authorize(call: Call): void;
  /** Returns the headers of every response, as name, value, name, value. */
  headers(call: Call): string[];
  encodeError(problem: Problem, call: Call): WireError;
  routes: readonly Route[];
}

export interface Route {
  method: 'GET' | 'POST';
  /** Its first group, if any, is passed to `answer`. */
  path: RegExp;
  answer(call: Call, name: string): Promise<void> | void;
}

export interface WireError {
  status: number;
  body: unknown;
  headers?: string[];
}

/** Request in progress. */
export interface Call {
  request: IncomingMessage;
  response: ServerResponse;
  vendor: Vendor;
  journal: WritableJournal;
  /** Unique within this sandbox; ids are derived from it. */
  id: string;
  startedAt: number;
  /** Decoded, without query and vendor segment. */
  path: string;
  query: URLSearchParams;
}

export function sendJson(call: Call, status: number, body: unknown, headers: string[] = []): void {
  const json = JSON.stringify(body);
  const entity = ['content-type', 'application/json', 'content-length', String(Buffer.byteLength(json))];
  call.response.writeHead(status, [...call.vendor.headers(call), ...headers, ...entity]);
  call.response.end(json);
}

export function sendProblem(call: Call, problem: Problem): void {
  const { status, body, headers } = call.vendor.encodeError(problem, call);
  sendJson(call, status, body, headers);
}
