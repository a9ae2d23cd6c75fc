import { removeBodies } from '#body-store/remove-bodies.ts';
import type { ObjectStore } from '#object-store/object-store.ts';
import type { RequestLog } from '#request-log/request-log.ts';
import type { SteppedJob } from './job.ts';

/**
 * Removes texts from object storage every hour: texts of rows that retention or the deletion of a user removed, and
 * texts of batches that were never booked.
 */
export function createRemoveLogBodies(store: ObjectStore, requestLog: RequestLog): SteppedJob {
  return {
    name: 'remove-log-bodies',
    pattern: '37 * * * *',
    isLong: true,
    runInSteps: async ({ database, signal }) => ({
      ...(await removeBodies({
        database,
        store,
        signal,
        findPlaced: (object, ids) => requestLog.findPlaced(database, object, ids),
      })),
    }),
  };
}
