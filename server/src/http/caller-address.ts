import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { createNetworkCheck } from '#platform/networks.ts';

/** Origin of a request. Unverified headers never change `address`. */
export interface RequestSource {
  /** IP that limits, sessions and the audit log use: the nearest hop that is not a trusted proxy. */
  readonly address: string;
  /** IP of the TCP peer. */
  readonly peer: string;
  /** Whether the peer sends forwarding headers and SLUICE_TRUSTED_PROXIES does not name it. */
  readonly isForwardedUnverified: boolean;
}

const forwardingHeaders = [
  'x-forwarded-for',
  'forwarded',
  'x-real-ip',
  'x-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'fastly-client-ip',
  'x-forwarded-host',
  'x-forwarded-proto',
  'via',
];

/** Returns a function that finds the source of a request. Only `X-Forwarded-For` entries added by trusted proxies count. */
export function createRequestSource(
  trustedProxies: readonly string[],
): (request: Pick<IncomingMessage, 'headers' | 'socket'>) => RequestSource {
  const isTrusted = createNetworkCheck(trustedProxies);
  return ({ headers, socket }) => {
    const peer = readAddress(socket.remoteAddress ?? '') ?? '';
    const isPeerTrusted = isTrusted(peer);
    const forwardedFor = isPeerTrusted ? String(headers['x-forwarded-for'] ?? '') : '';
    return {
      address: findCaller(peer, forwardedFor, isTrusted),
      peer,
      isForwardedUnverified: !isPeerTrusted && forwardingHeaders.some((name) => headers[name] !== undefined),
    };
  };
}

/**
 * Returns a function that finds the address of a request; empty for a request from inside the process. It caches the
 * address of each connection for as long as its `X-Forwarded-For` stays the same.
 */
export function createFindAddress(
  trustedProxies: readonly string[],
): (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string {
  const findSource = createRequestSource(trustedProxies);
  const lastFound = new WeakMap<object, { readonly forwardedFor: unknown; readonly address: string }>();
  return (request) => {
    const forwardedFor = request.headers['x-forwarded-for'];
    const last = lastFound.get(request.socket);
    if (last && last.forwardedFor === forwardedFor) return last.address;
    const { address } = findSource(request);
    lastFound.set(request.socket, { forwardedFor, address });
    return address;
  };
}

/** Each proxy appends its own peer, so the list is read from the right until an entry is not trusted. */
function findCaller(peer: string, forwardedFor: string, isTrusted: (address: string) => boolean): string {
  let caller = peer;
  for (const entry of forwardedFor.split(',').reverse()) {
    if (!isTrusted(caller)) break;
    const address = readAddress(entry.trim());
    if (address === null) break;
    caller = address;
  }
  return caller;
}

/** Returns the IP address of an entry in one spelling, without the port that some proxies add; `null` if it is not one. */
function readAddress(entry: string): string | null {
  const withoutPort = /^\[(.+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry;
  const address = withoutPort.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  return isIP(address) === 0 ? null : address.toLowerCase();
}
