import type { quotaStatusRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { read } from '#http/verbs.ts';
import { getQuotaStatus } from './get.ts';

export function createQuotaStatusHandlers(): Handlers<typeof quotaStatusRoutes> {
  return { getQuotaStatus: read(getQuotaStatus) };
}
