import type { TenantTransaction } from '#db/tenant.ts';
import { insertScoreEvent } from './store.ts';

/** What an administrator did to a person's standing. */
export interface ScoreEventDraft {
  readonly tenantId: number;
  readonly userId: number;
  readonly actorId: number | null;
  readonly kind: 'block' | 'unblock' | 'appeal_grant' | 'appeal_deny';
  readonly scoreBefore: number;
  readonly scoreAfter: number;
  readonly reason: string;
}

/** Keeps what moved a person's standing and was no request; it belongs into the transaction of the change. */
export function recordScoreEvent(tx: TenantTransaction, draft: ScoreEventDraft): Promise<void> {
  return insertScoreEvent(tx, draft);
}
