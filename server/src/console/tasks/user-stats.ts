import type { tasksRoutes } from '@sluice/contract';
import type { z } from 'zod';
import type { SignedInContext } from '#http/console-route.ts';
import { selectUserStats } from './store.ts';

export function getTaskUserStats(
  ctx: SignedInContext,
): Promise<z.input<typeof tasksRoutes.getTaskUserStats.response>> {
  return ctx.inTenant(async (tx) => {
    const rows = await selectUserStats(tx, ctx.principal.tenantId);
    return rows.map((row) => ({
      user_id: row.userId,
      user_name: row.name,
      user_email: row.email,
      is_blocked: row.isBlocked,
      active_tasks: row.activeTasks,
      completed_tasks: row.completedTasks,
      tokens_used: row.tokensUsed,
      token_limit: row.isUnlimited ? null : row.tokenLimit,
    }));
  });
}
