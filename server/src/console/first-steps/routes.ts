import type { firstStepsRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { read } from '#http/verbs.ts';
import { getFirstSteps } from './first-steps.ts';

export function createFirstStepsHandlers(): Handlers<typeof firstStepsRoutes> {
  return { getFirstSteps: read(getFirstSteps) };
}
