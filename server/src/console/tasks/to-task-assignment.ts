import type { TaskAssignment } from '@sluice/contract';
import type { TenantTransaction } from '#db/tenant.ts';
import { notFound } from '#errors/console-error.ts';
import { type AssignmentRow, selectAssignments } from './assignments-store.ts';

/** Returns an assignment as all assignment routes do. */
export async function readAssignment(
  tx: TenantTransaction,
  tenantId: number,
  assignmentId: number,
): Promise<TaskAssignment> {
  const [row] = await selectAssignments(tx, tenantId, { assignmentId });
  if (!row) throw notFound('Assignment');
  return toTaskAssignment(row);
}

export function toTaskAssignment(row: AssignmentRow): TaskAssignment {
  return {
    id: row.id,
    task_id: row.taskId,
    task_title: row.taskTitle,
    user_id: row.userId,
    user_name: row.userName,
    user_email: row.userEmail,
    is_blocked: row.isBlocked,
    status: row.status,
    progress_notes: row.progressNotes,
    tokens_used: row.tokensUsed,
    token_limit: row.tokenLimit,
    total_requests: row.requests,
    last_request_at: row.lastRequestAt?.toISOString() ?? null,
    assigned_by_name: row.assignedByName,
    assigned_at: row.assignedAt.toISOString(),
    completion_date: row.endedAt?.toISOString() ?? null,
  };
}
