import type { LlmProvider } from '@sluice/contract';
import type { SignedInContext } from '#http/console-route.ts';
import { changeProvider } from './change-provider.ts';

/** Ends maintenance of an instance; no effect if it is not in maintenance. */
export function endMaintenance(ctx: SignedInContext, id: number): Promise<LlmProvider> {
  return changeProvider(ctx, id, () => ({
    maintenanceSince: null,
    maintenanceUntil: null,
    maintenanceReason: null,
  }));
}
