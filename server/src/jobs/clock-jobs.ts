import { systemClock } from '#platform/clock.ts';
import { checkLastEntries, checkLedgerSums } from './check-ledger.ts';
import { endLostChatAnswers } from './end-lost-chat-answers.ts';
import { endLostComparisons } from './end-lost-comparisons.ts';
import { eraseFormerProviderKeys } from './erase-former-provider-keys.ts';
import { extendUsageDays } from './extend-usage-days.ts';
import { forgetIdempotencyKeys } from './forget-idempotency-keys.ts';
import { createForgetOldRows } from './forget-old-rows.ts';
import { createForgetRequestLogs } from './forget-request-logs.ts';
import { forgetSessions } from './forget-sessions.ts';
import { createForgetUsage } from './forget-usage.ts';
import type { Job } from './job.ts';
import { checkLeases, expireLostNodes, forgetWindows } from './keep-allowances.ts';
import { createKeepLogPartitions } from './keep-log-partitions.ts';
import { removeBlockRateBanners } from './remove-block-rate-banners.ts';
import { tellOfProviderIncidents } from './tell-of-provider-incidents.ts';

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
  tellOfProviderIncidents,
  expireLostNodes,
];
