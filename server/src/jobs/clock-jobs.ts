import { type Clock, systemClock } from '#platform/clock.ts';
import type { RequestLog } from '#request-log/request-log.ts';
import { checkLastEntries, checkLedgerSums } from './check-ledger.ts';
import { createDeleteExpiredRequestLogs, createKeepLogPartitions } from './delete-expired-request-logs.ts';
import {
  createDeleteExpiredUsage,
  createDeleteOldRows,
  deleteExpiredIdempotencyKeys,
  deleteExpiredSessions,
  deletePreviousProviderKeys,
  endIdleSessions,
} from './delete-old-rows.ts';
import { createEndLostChatAnswers, createEndLostComparisons } from './end-lost-answers.ts';
import { extendUsageDays } from './extend-usage-days.ts';
import type { Job } from './job.ts';
import { checkLeases, deleteEndedWindows, endBudgetRaises, expireLostNodes } from './keep-allowances.ts';
import { createUpdateIncidentBanners, removeBlockRateBanners } from './update-incident-banners.ts';

export const createClockJobs = (requestLog: RequestLog): readonly Job[] => [
  checkLastEntries,
  checkLeases,
  checkLedgerSums,
  endBudgetRaises,
  createEndLostChatAnswers(requestLog),
  createEndLostComparisons(requestLog),
  deletePreviousProviderKeys,
  extendUsageDays,
  deleteExpiredIdempotencyKeys,
  createDeleteOldRows(systemClock),
  createDeleteExpiredRequestLogs(systemClock, requestLog),
  deleteExpiredSessions,
  endIdleSessions,
  createDeleteExpiredUsage(systemClock),
  deleteEndedWindows,
  createKeepLogPartitions(systemClock),
  createIndexLogDays(systemClock, requestLog),
  removeBlockRateBanners,
  createUpdateIncidentBanners(requestLog),
  expireLostNodes,
];

function createIndexLogDays(clock: Clock, requestLog: RequestLog): Job {
  return {
    name: 'index-log-days',
    pattern: '11 * * * *',
    isLong: true,
    async runInSteps({ log, signal }) {
      const days = await requestLog.indexDays(clock(), signal);
      if (days > 0) log.info({ days }, 'the indexes of past days of the request log were created');
    },
  };
}
