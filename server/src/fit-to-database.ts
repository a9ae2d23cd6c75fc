import type { Config } from '#config/config.ts';
import { fitConnections } from '#config/fit-connections.ts';
import { nameNode } from '#config/node-name.ts';
import { isPooled } from '#db/is-pooled.ts';
import { readConnectionRoom } from '#db/read-connection-room.ts';

/** A single node leaves room for a second one, so that it can be replaced without an outage. */
const nodesMin = 2;

/**
 * Returns the configuration with the workers and connections that the database has room for, and a warning if that is
 * fewer than configured. Nothing changes behind a pooler or if the operator has set a cap.
 * @throws Error if not even one worker fits
 */
export async function fitToDatabase(config: Config): Promise<{ config: Config; warning: string | null }> {
  const { database, isConnectionCapGiven } = config;
  if (
    !database ||
    isConnectionCapGiven ||
    isPooled({ connectionString: database.url, directConnectionString: database.directUrl })
  )
    return { config, warning: null };
  const room = await readConnectionRoom(database.url);
  const others = room.nodeNames.filter((name) => name !== nameNode(config, process.pid)).length;
  const nodes = Math.max(others + 1, config.nodes ?? nodesMin);
  const { warning, ...fitted } = fitConnections(config.workers, { ...room, nodes });
  return { config: { ...config, ...fitted }, warning };
}
