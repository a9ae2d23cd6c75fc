import { join } from 'node:path';
import { readLockFile } from '../../../server/src/db/embedded-server/leftovers.ts';
import { startEmbeddedServer } from '../../../server/src/db/embedded-server/start-embedded-server.ts';
import { createLogger } from '../../../server/src/platform/logger.ts';
import type { Surroundings, Target } from './subject.ts';

const maxConnections = 200;

export interface PeerDatabase {
  /** URL of an empty database that only this peer uses. */
  url: string;
  pid: number;
}

export async function startPeerDatabase(
  { resources, dir }: Surroundings,
  name: string,
): Promise<PeerDatabase> {
  const dataDir = join(dir, name);
  const log = createLogger('silent');
  const { connectionString, stop } = await startEmbeddedServer({ dataDir, maxConnections, log });
  resources.defer(stop);
  const lock = readLockFile(join(dataDir, 'postgres'));
  if (!lock) throw new Error(`the PostgreSQL of ${name} is not running`);
  return { url: connectionString, pid: lock.pid };
}

export const peerPart: Target['partOf'] = ({ name }) => (name === 'postgres' ? 'postgresql' : 'gateway');
