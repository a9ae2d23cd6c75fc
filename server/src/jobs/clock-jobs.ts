import { systemClock } from '#platform/clock.ts';
import { checkLastEntries, checkLedgerSums } from './check-ledger.ts';
import { endLostChatAnswers, endLostComparisons } from './end-lost-answers.ts';
import { extendUsageDays } from './extend-usage-days.ts';
import {
  createForgetOldRows,
  createForgetUsage,
  eraseFormerProviderKeys,
  forgetIdempotencyKeys,
  forgetSessions,
} from './forget-old-rows.ts';
import { createForgetRequestLogs, createKeepLogPartitions } from './forget-request-logs.ts';
import type { Job } from './job.ts';
import { checkLeases, expireLostNodes, forgetWindows } from './keep-allowances.ts';
import { removeBlockRateBanners, updateIncidentBanners } from './update-incident-banners.ts';

/** Jobs that every node runs on a schedule, whatever its configuration. */
export const clockJobs: readonly Job[] = [
  checkLastEntries,
  checkLeases,
  checkLedgerSums,
  endLostChatAnswers,
  endLostComparisons,
  eraseFormerProviderKeys,
  extendUsageDays,
  forgetIdempotencyKeys,
  createForgetOldRows(systemClock),
  createForgetRequestLogs(systemClock),
  forgetSessions,
  createForgetUsage(systemClock),
  forgetWindows,
  createKeepLogPartitions(systemClock),
  removeBlockRateBanners,
  updateIncidentBanners,
  expireLostNodes,
];
