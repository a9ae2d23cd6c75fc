import type { Task, tasksRoutes } from '@sluice/contract';
import { formatTotalCount } from '#domain/total-count.ts';
import type { RouteInput, SignedInContext } from '#http/console-route.ts';
import { toTask } from './get.ts';
import { selectTasks } from './store.ts';

export function listTasks(
  ctx: SignedInContext,
  { query }: RouteInput<typeof tasksRoutes.listTasks>,
): Promise<Task[]> {
  return ctx.inTenant(async (tx) => {
    const rows = await selectTasks(tx, ctx.principal.tenantId, {
      category: query.category,
      difficultyLevel: query.difficulty_level,
      isActive: query.is_active,
      search: query.search,
    });
    ctx.setHeader('x-total-count', formatTotalCount(rows.length));
    return rows.map(toTask);
  });
}
