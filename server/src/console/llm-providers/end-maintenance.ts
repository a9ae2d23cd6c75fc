import type { LlmProvider } from '@sluice/contract';
import type { SignedInContext } from '#http/console-route.ts';
import { changeProvider } from './change-provider.ts';

/** Lets an instance take requests again; one that takes them already stays as it is. */
export function endMaintenance(ctx: SignedInContext, id: number): Promise<LlmProvider> {
  return changeProvider(ctx, id, () => ({
    maintenanceSince: null,
    maintenanceUntil: null,
    maintenanceReason: null,
  }));
}
