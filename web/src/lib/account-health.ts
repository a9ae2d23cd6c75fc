import type { QuotaStatus } from '@sluice/contract';

export interface AccountHealth {
  readonly text: 'Blocked' | 'At Risk' | 'Good Standing';
  readonly kind: 'bad' | 'warn' | 'ok';
}

/** How an account stands: by the server's warnings alone, so that every screen says the same. */
export function accountHealthOf({ warnings }: Pick<QuotaStatus, 'warnings'>): AccountHealth {
  if (warnings.blocked_status !== null) return { text: 'Blocked', kind: 'bad' };
  if (warnings.high_deviation_score !== null) return { text: 'At Risk', kind: 'warn' };
  return { text: 'Good Standing', kind: 'ok' };
}
