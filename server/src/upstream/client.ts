import { defaultProviderTimeouts } from '@sluice/contract';
import { Agent, buildConnector } from 'undici';
import type { AbortSource } from './abort-source.ts';
import { createDeadlineSweep } from './deadline-sweep.ts';
import { type Hops, hopsHeader } from './hops.ts';
import {
  BlockedAddressError,
  createGuardedConnector,
  type GuardPolicy,
  type ResolveHost,
} from './outbound-guard.ts';
import { UpstreamCall } from './upstream-call.ts';
import { UpstreamError } from './upstream-error.ts';
import type { UpstreamResponse, UpstreamTimeouts } from './upstream-response.ts';

export interface UpstreamRequest {
  url: URL;
  method: string;
  /** Header names are lower case. The client sets `accept-encoding` itself. */
  headers: Record<string, string>;
  body: Buffer | null;
  /** Aborting closes the upstream connection immediately, even in the middle of the response. */
  signal: AbortSource;
  timeouts: UpstreamTimeouts;
  /** Skips the address check. Only for the built-in sandbox, whose URL this server sets itself. */
  trustedOrigin?: boolean;
  /** Called when the client starts to write the request. From then on, the provider may have received it. */
  onSent?: () => void;
  /** `x-sluice-hops` header of the incoming request that caused this call. */
  givenHops?: string | string[] | undefined;
}

export interface UpstreamClient {
  /** Resolves with the head of the response. Rejects with an `UpstreamError`, for redirects as well. */
  send(request: UpstreamRequest): Promise<UpstreamResponse>;
  /** Waits for requests in flight, then closes all connections. */
  close(): Promise<void>;
}

interface UpstreamClientOptions {
  policy: GuardPolicy;
  log?: { warn(fields: object, message: string): void };
  resolve?: ResolveHost;
  /** Adds this installation's id to every call, to detect loops. */
  hops?: Hops;
}

const { connect_timeout_ms: connectMs, idle_timeout_ms: idleMs } = defaultProviderTimeouts;

export const streamingTimeouts: UpstreamTimeouts = {
  connectMs,
  firstByteMs: defaultProviderTimeouts.first_byte_timeout_ms,
  idleMs,
  totalMs: defaultProviderTimeouts.stream_total_timeout_ms,
};

/** A provider sends the first byte of a non-streaming response only once the response is complete. */
export const nonStreamingTimeouts: UpstreamTimeouts = {
  connectMs,
  firstByteMs: defaultProviderTimeouts.total_timeout_ms,
  idleMs,
  totalMs: defaultProviderTimeouts.total_timeout_ms,
};

/**
 * Creates a client that calls providers over pooled HTTP/1.1 connections with one request in flight each. Does not
 * follow redirects and ignores proxy environment variables. Trusted and guarded requests never share a connection, nor
 * do requests with different connect timeouts.
 */
export function createUpstreamClient({ policy, log, resolve, hops }: UpstreamClientOptions): UpstreamClient {
  const sweep = createDeadlineSweep();
  const agents = new Map<number, Agents>();
  const agentsFor = (connectTimeoutMs: number): Agents => {
    const found = agents.get(connectTimeoutMs);
    if (found) return found;
    const connect = createGuardedConnector(policy, { timeoutMs: connectTimeoutMs, resolve });
    const guarded = createAgent((destination, callback) => {
      connect(destination, (...outcome) => {
        const [error] = outcome;
        if (error instanceof BlockedAddressError)
          log?.warn(
            { host: destination.hostname, reason: error.message },
            'The outbound guard refused a connection',
          );
        callback(...outcome);
      });
    });
    const trusted = createAgent(buildConnector({ allowH2: false, timeout: connectTimeoutMs }));
    const made = { guarded, trusted };
    agents.set(connectTimeoutMs, made);
    return made;
  };

  return {
    send({ url, method, headers, body, signal, timeouts, trustedOrigin, givenHops, onSent }) {
      if (signal.aborted)
        return Promise.reject(new UpstreamError('aborted', 'before_first_byte', signal.reason));
      const answering = Promise.withResolvers<UpstreamResponse>();
      const exchange = new UpstreamCall({ signal, timeouts, sweep, onSent, answering });
      const list = listHeaders(headers);
      if (hops) list.push(hopsHeader, hops.extend(givenHops));
      const { origin, path } = urlParts.getOrInsertComputed(url, splitUrl);
      const target = { origin, path, method, headers: list, body };
      const { guarded, trusted } = agentsFor(timeouts.connectMs);
      (trustedOrigin ? trusted : guarded).dispatch(target, exchange);
      return answering.promise;
    },
    async close() {
      await Promise.all(
        [...agents.values()].flatMap(({ guarded, trusted }) => [guarded.close(), trusted.close()]),
      );
    },
  };
}

interface Agents {
  readonly guarded: Agent;
  readonly trusted: Agent;
}

function createAgent(connect: buildConnector.connector): Agent {
  return new Agent({
    connect,
    allowH2: false,
    useMilo: false,
    pipelining: 1,
    // The deadline sweep enforces the timeout without a timer per request.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 32 * 1024,
    // Below 5 s, after which common servers close idle connections without notice. A timeout announced by the server
    // takes precedence.
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 60_000,
  });
}

/** Cached because the same URLs are requested repeatedly, and reading a URL's property creates a new string. */
const urlParts = new WeakMap<URL, { readonly origin: string; readonly path: string }>();

function splitUrl({ origin, pathname, search }: URL): { readonly origin: string; readonly path: string } {
  return { origin, path: pathname + search };
}

/** Returns [name, value, ...], which undici accepts without checking each entry. */
function listHeaders(headers: Record<string, string>): string[] {
  const list = ['accept-encoding', 'identity'];
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && name !== 'accept-encoding') list.push(name, value);
  }
  return list;
}
