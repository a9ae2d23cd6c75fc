import type { FastifyRequest } from 'fastify';

/** By these proxies tell for whom they ask. */
const forwardingHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip'];

/** Whether a request came through a proxy whose word does not count, so that its address stands for many people. */
export function isAddressShared({ headers, ips = [] }: Pick<FastifyRequest, 'headers' | 'ips'>): boolean {
  // Where the peer is trusted, the list goes on behind it.
  return ips.length < 2 && forwardingHeaders.some((name) => headers[name] !== undefined);
}
