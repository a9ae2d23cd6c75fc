import type { Appeal } from '@sluice/contract';
import type { AppealRow } from './appeals-store.ts';

export function toAppeal(row: AppealRow): Appeal {
  return {
    id: row.id,
    user_id: row.userId,
    user_name: row.userName,
    user_email: row.userEmail,
    status: row.status,
    message: row.message,
    created_at: row.createdAt.toISOString(),
    block: {
      reason: row.blockReason,
      score: row.blockScore,
      request_id: row.blockRequestId,
      created_at: row.blockedAt.toISOString(),
    },
    note: row.note,
    decided_at: row.decidedAt?.toISOString() ?? null,
  };
}
