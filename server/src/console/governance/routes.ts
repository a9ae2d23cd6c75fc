import type { governanceRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import type { IntentModel } from '#intent/model.ts';
import { previewGovernance } from './preview.ts';

export function createGovernanceHandlers({
  intentModel,
}: {
  readonly intentModel: IntentModel;
}): Handlers<typeof governanceRoutes> {
  return {
    previewGovernance: (ctx, { body }) => previewGovernance(intentModel, ctx, body),
  };
}
