import type { QuotaStatus } from '@sluice/contract';
import { formatZonedTime } from '../../lib/format-time.ts';

export const quotaNames: readonly [keyof QuotaStatus['quotas'], string][] = [
  ['requests_per_hour', 'Requests this hour'],
  ['tokens_per_day', 'Tokens today'],
  ['tokens_per_month', 'Tokens this month'],
];

type Quota = QuotaStatus['quotas']['tokens_per_day'];

export const isReached = ({ used, limit }: Quota): boolean => limit !== null && used >= limit;

/** `requests are refused until Nov 24, 12:00 AM UTC`; a limit of 0 has no end. */
export const sayRefused = ({ limit, resets_at }: Quota): string =>
  limit === 0 ? 'requests are refused' : `requests are refused until ${formatZonedTime(resets_at)}`;
