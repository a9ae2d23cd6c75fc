import type { FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '#domain/sign-in-throttle.ts';

/** Requests that a caller may have open before its errors are delayed. */
const openFree = 10;
/** Delay per further open request. */
const stepMs = 20;
const delayMaxMs = 2_000;

/**
 * Delays the errors of callers with many open requests. An error that needs no query costs the event loop 1 ms, so a
 * client that repeats one over 100 connections would otherwise occupy it alone.
 */
export interface RefusalPace {
  /** Counts a request as open until its response has ended. */
  enter(request: FastifyRequest, reply: FastifyReply): void;
  /** Returns the delay of an error, 0 for a caller with few open requests. */
  delayOf(request: FastifyRequest): number;
}

export function createRefusalPace(): RefusalPace {
  const openOf = new Map<string, Set<FastifyRequest>>();
  return {
    enter(request, reply) {
      const network = networkOf(request.ip);
      const open = openOf.getOrInsertComputed(network, () => new Set());
      open.add(request);
      reply.raw.once('close', () => {
        open.delete(request);
        if (open.size === 0) openOf.delete(network);
      });
    },
    delayOf(request) {
      const open = openOf.get(networkOf(request.ip)) ?? [];
      const userId = request.principal?.userId;
      let delayMs = -openFree * stepMs;
      for (const other of open) {
        if (other.principal?.userId === userId) delayMs += stepMs;
        if (delayMs >= delayMaxMs) break;
      }
      return Math.max(0, delayMs);
    },
  };
}
