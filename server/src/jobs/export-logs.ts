import type { RunInTenant } from '#db/tenant.ts';
import { exportHours } from '#log-export/export-hours.ts';
import type { ObjectStore } from '#object-store/object-store.ts';
import type { Clock } from '#platform/clock.ts';
import type { RequestLog } from '#request-log/request-log.ts';
import type { SteppedJob } from './job.ts';

interface Exported {
  readonly store: ObjectStore;
  readonly requestLog: RequestLog;
  readonly runInTenant: RunInTenant;
}

export function createExportLogs(clock: Clock, { store, requestLog, runInTenant }: Exported): SteppedJob {
  return {
    name: 'export-logs',
    pattern: '*/5 * * * *',
    isLong: true,
    runInSteps: async ({ database, signal }) => ({
      ...(await exportHours({
        database,
        store,
        signal,
        nowMs: clock(),
        readTenant: (tenantId, work) => runInTenant(tenantId, (tx) => work(tx.requestLog)),
        findExisting: (ids) => requestLog.findExisting(database, ids),
        hasAllRows: (range) => requestLog.hasAllRows(database, range),
      })),
    }),
  };
}
