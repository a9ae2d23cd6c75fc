import { listPools } from '#db/open-pools.ts';
import type { Metrics } from './catalogue.ts';

/** Returns the metrics of the database pools of this process. */
export function readPools(): Metrics {
  return {
    sluice_database_pool_connections: listPools().flatMap(({ name, busy, idle, waiting }) => {
      const ofState = (state: string, value: number) => ({ labels: { pool: name, state }, value });
      return [ofState('busy', busy), ofState('idle', idle), ofState('waiting', waiting)];
    }),
  };
}
