import type { firstStepsRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { getFirstSteps } from './first-steps.ts';

export function createFirstStepsHandlers(): Handlers<typeof firstStepsRoutes> {
  return { getFirstSteps: (ctx) => getFirstSteps(ctx) };
}
