import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { WritableJournal } from '../journal.ts';
import type { Problem } from '../request/problem.ts';

/** Vendor API that the sandbox implements: authentication, error format and endpoints. */
export interface Vendor {
  /** First path segment that selects the vendor, for example in `/cohere/v1/models`. */
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
