import type { LlmProvider, startMaintenanceBody } from '@sluice/contract';
import type { z } from 'zod';
import type { SignedInContext } from '#http/console-route.ts';
import { changeProvider } from './change-provider.ts';

/** Sends no new request to an instance; those that run are answered to their end. Done again, it changes end and reason. */
export function startMaintenance(
  ctx: SignedInContext,
  id: number,
  { until, reason }: z.output<typeof startMaintenanceBody>,
): Promise<LlmProvider> {
  return changeProvider(ctx, id, ({ maintenanceSince, maintenanceUntil }) => {
    const isRunning = maintenanceSince && !(maintenanceUntil && maintenanceUntil.getTime() <= Date.now());
    return {
      maintenanceSince: isRunning ? maintenanceSince : new Date(),
      maintenanceUntil: until ? new Date(until) : null,
      maintenanceReason: reason || null,
    };
  });
}
