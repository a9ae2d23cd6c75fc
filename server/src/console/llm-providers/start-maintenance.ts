import type { LlmProvider, startMaintenanceBody } from '@sluice/contract';
import type { z } from 'zod';
import type { SignedInContext } from '#http/console-route.ts';
import { changeProvider } from './change-provider.ts';

/** Stops sending new requests to an instance; running ones finish. A repeated call changes end and reason. */
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
