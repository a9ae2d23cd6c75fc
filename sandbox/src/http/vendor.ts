import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { WritableJournal } from '../journal.ts';
import type { Problem } from '../request/problem.ts';

export interface Vendor {
  /** First path segment that selects the vendor, as in `/cohere/v1/models`. */
  name: string;
  /** Whether a path without the vendor segment belongs to the vendor. */
  owns(path: string, headers: IncomingHttpHeaders): boolean;
  /** Checks the API key of a request. Throws `RequestRefused`. */
  authorize(call: Call): void;
  /** Returns the headers of every response as alternating names and values. */
  headers(call: Call): string[];
  encodeError(problem: Problem, call: Call): WireError;
  routes: readonly Route[];
}

export interface Route {
  method: 'GET' | 'POST';
  /** Path pattern. The first group, if any, is passed to `answer`. */
  path: RegExp;
  answer(call: Call, name: string): Promise<void> | void;
}

export interface WireError {
  status: number;
  body: unknown;
  headers?: string[];
}

export interface Call {
  request: IncomingMessage;
  response: ServerResponse;
  vendor: Vendor;
  journal: WritableJournal;
  /** Unique within a sandbox. Response ids are derived from the call id. */
  id: string;
  startedAt: number;
  /** Decoded path, without query and vendor segment. */
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
