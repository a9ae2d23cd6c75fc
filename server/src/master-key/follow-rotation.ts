import type { SystemDatabase } from '#db/system.ts';
import type { Keyring } from '#platform/keyring.ts';
import type { Logger } from '#platform/logger.ts';
import { findInstalledSecret, noteHolder } from './store.ts';

interface FollowOptions {
  readonly database: SystemDatabase;
  readonly keyring: Keyring;
  readonly log: Logger;
}

const everyMs = 10_000;

export function followRotation({ database, keyring, log }: FollowOptions): { stop(): Promise<void> } {
  const id = crypto.randomUUID();
  let running = Promise.resolve();
  const follow = async () => {
    const installed = await findInstalledSecret(database);
    if (installed && !keyring.follow(installed.secretCheck)) {
      log.error(
        'the master key of the database was changed to one that this node does not have; set SLUICE_SECRET to it',
      );
    }
    await noteHolder(database, id, keyring);
  };
  const round = () => {
    // If the database is unreachable, the next round retries.
    running = follow().catch((error) => log.debug({ error }, 'could not check which master key is in use'));
  };
  const timer = setInterval(round, everyMs).unref();
  round();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
