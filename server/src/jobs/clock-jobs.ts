import { systemClock } from '#platform/clock.ts';
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
import { endLostChatAnswers, endLostComparisons } from './end-lost-answers.ts';
import { extendUsageDays } from './extend-usage-days.ts';
import type { Job } from './job.ts';
import { checkLeases, deleteEndedWindows, endBudgetRaises, expireLostNodes } from './keep-allowances.ts';
import { removeBlockRateBanners, updateIncidentBanners } from './update-incident-banners.ts';

/** Jobs that every node runs on a schedule, whatever its configuration. */
export const clockJobs: readonly Job[] = [
  checkLastEntries,
  checkLeases,
  checkLedgerSums,
  endBudgetRaises,
  endLostChatAnswers,
  endLostComparisons,
  deletePreviousProviderKeys,
  extendUsageDays,
  deleteExpiredIdempotencyKeys,
  createDeleteOldRows(systemClock),
  createDeleteExpiredRequestLogs(systemClock),
  deleteExpiredSessions,
  endIdleSessions,
  createDeleteExpiredUsage(systemClock),
  deleteEndedWindows,
  createKeepLogPartitions(systemClock),
  removeBlockRateBanners,
  updateIncidentBanners,
  expireLostNodes,
];
