import type { TenantTransaction } from '#db/tenant.ts';
import { insertScoreEvent } from './store.ts';

/** An administrator's change of a user's standing. */
export interface ScoreEventDraft {
  readonly tenantId: number;
  readonly userId: number;
  readonly actorId: number | null;
  readonly kind: 'block' | 'unblock' | 'appeal_grant' | 'appeal_deny';
  readonly scoreBefore: number;
  readonly scoreAfter: number;
  readonly reason: string;
}

/** Records a change of a user's standing that was not a request, in the transaction of the change. */
export function recordScoreEvent(tx: TenantTransaction, draft: ScoreEventDraft): Promise<void> {
  return insertScoreEvent(tx, draft);
}
