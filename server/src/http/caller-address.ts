import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { createNetworkCheck } from '#platform/networks.ts';

/** Unverified headers have no effect on `address`. */
export interface RequestSource {
  /** The nearest hop that is not a trusted proxy. Used for limits, sessions and the audit log. */
  readonly address: string;
  readonly peer: string;
  /** True if the peer sends forwarding headers but is not in SLUICE_TRUSTED_PROXIES. */
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

/** Only `X-Forwarded-For` entries that trusted proxies have added count. */
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
 * Returns an empty text for requests within the process. The address of a connection is cached while its
 * `X-Forwarded-For` header remains the same.
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

/** Returns the first untrusted entry from the right, since each proxy appends its own peer. */
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

/** Omits the port that some proxies add. Returns `null` if the entry is not an IP address. */
function readAddress(entry: string): string | null {
  const withoutPort = /^\[(.+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry;
  const address = withoutPort.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  return isIP(address) === 0 ? null : address.toLowerCase();
}
