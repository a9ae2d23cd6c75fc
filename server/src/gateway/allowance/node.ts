import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '#platform/logger.ts';
import type { NodeIdentity } from './lease-book.ts';
import type { LeaseDatabase } from './lease-queries.ts';

/**
 * Time after the last renewal until the registration of a node expires. An offline node keeps working for half of
 * this time.
 */
const timeToLiveMs = 60_000;
const renewMs = 5_000;

export interface GatewayNode extends NodeIdentity {
  stop(): Promise<void>;
}

export interface NodeOptions {
  readonly database: Pick<LeaseDatabase, 'register' | 'renew'>;
  /** Called with each id before registration, so that the leases can be released after the process is gone. */
  readonly keepId: (nodeId: string) => void;
  readonly log: Logger;
  readonly timeToLiveMs?: number;
  readonly renewMs?: number;
}

/** Rejects if the database is unreachable. */
export async function startNode(options: NodeOptions): Promise<GatewayNode> {
  const { database, keepId, log } = options;
  const liveMs = options.timeToLiveMs ?? timeToLiveMs;
  let id = '';
  let confirmedAtMs = 0;
  let clockOffsetMs = 0;
  const confirm = (askedAtMs: number, databaseNowMs: number) => {
    confirmedAtMs = askedAtMs;
    clockOffsetMs = databaseNowMs - (askedAtMs + performance.now()) / 2;
  };
  const register = async () => {
    const newId = randomUUID();
    keepId(newId);
    const askedAtMs = performance.now();
    confirm(askedAtMs, await database.register(newId, liveMs));
    id = newId;
  };
  const renew = async () => {
    const askedAtMs = performance.now();
    const databaseNowMs = await database.renew(id, liveMs);
    if (databaseNowMs !== null) return confirm(askedAtMs, databaseNowMs);
    log.warn({ nodeId: id }, 'the leases of this node expired while it was offline, so it takes new ones');
    await register();
  };
  await register();

  const stopping = new AbortController();
  const renewing = (async () => {
    while (!stopping.signal.aborted) {
      await pause(options.renewMs ?? renewMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (!stopping.signal.aborted)
        await renew().catch((error) =>
          log.warn({ error }, 'could not renew the registration of this node in the database'),
        );
    }
  })();
  return {
    get id() {
      return id;
    },
    nowMs: () => Math.floor(performance.now() + clockOffsetMs),
    isLive: () => performance.now() - confirmedAtMs < liveMs / 2,
    async stop() {
      stopping.abort();
      await renewing;
    },
  };
}

/**
 * Ids of all registrations of a run, stored next to its journal so that the leases of a killed node can be released.
 */
export interface NodeIds {
  add(nodeId: string): void;
  read(): string[];
}

export function createNodeIds(journalDir: string): NodeIds {
  const path = join(journalDir, 'nodes');
  return {
    add: (nodeId) => appendFileSync(path, `${nodeId}\n`, { mode: 0o600 }),
    // A crash may truncate the last line, whose node was then never registered.
    read: () => (existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(isNodeId) : []),
  };
}

function isNodeId(line: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(line);
}
