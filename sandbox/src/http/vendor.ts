import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { WritableJournal } from '../journal.ts';
import type { Problem } from '../request/problem.ts';

/** One company whose API the sandbox speaks: how it knows its callers, words its errors and what it answers. */
export interface Vendor {
  /** the first segment of an address that leaves no doubt, for example `/cohere/v1/models` */
  name: string;
  /** whether an address without that segment is this vendor's */
  owns(path: string, headers: IncomingHttpHeaders): boolean;
  /** throws `RequestRefused` */
  authorize(call: Call): void;
  /** the headers of every response, as name, value, name, value */
  headers(call: Call): string[];
  encodeError(problem: Problem, call: Call): WireError;
  routes: readonly Route[];
}

export interface Route {
  method: 'GET' | 'POST';
  /** its first group, if any, is handed to `answer` */
  path: RegExp;
  answer(call: Call, name: string): Promise<void> | void;
}

export interface WireError {
  status: number;
  body: unknown;
  headers?: string[];
}

/** One request on its way. */
export interface Call {
  request: IncomingMessage;
  response: ServerResponse;
  vendor: Vendor;
  journal: WritableJournal;
  /** unique within this sandbox; ids are made of it */
  id: string;
  startedAt: number;
  /** decoded, without query and without the vendor's name */
  path: string;
  query: URLSearchParams;
}
