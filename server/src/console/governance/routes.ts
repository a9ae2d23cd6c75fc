import type { governanceRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import type { IntentModel } from '#intent/model.ts';
import { createAppeal, decideAppeal, listAppeals, listOwnAppeals, reopenAppeal } from './appeals.ts';
import { correctIntent, explainLog, listCorrections } from './judged-log.ts';
import { replayPolicy } from './policy-replay.ts';
import { previewGovernance } from './rehearse-task.ts';

export function createGovernanceHandlers({
  intentModel,
}: {
  readonly intentModel: IntentModel;
}): Handlers<typeof governanceRoutes> {
  return {
    previewGovernance: (ctx, { body }) => previewGovernance(intentModel, ctx, body),
    replayPolicy: (ctx, { body }) => replayPolicy(ctx, body),
    createAppeal: (ctx, { body }) => createAppeal(ctx, body.message),
    listOwnAppeals: (ctx) => listOwnAppeals(ctx),
    listAppeals: (ctx, { query }) => listAppeals(ctx, query),
    decideAppeal: (ctx, { params, body }) => decideAppeal(ctx, params.id, body),
    reopenAppeal: (ctx, { params }) => reopenAppeal(ctx, params.id),
    correctIntent: (ctx, { params, body }) => correctIntent(ctx, params.id, body.intent),
    listCorrections: (ctx) => listCorrections(ctx),
    explainLog: (ctx, { params }) => explainLog(intentModel, ctx, params.id, false),
    explainOwnRequest: (ctx, { params }) => explainLog(intentModel, ctx, params.id, true),
  };
}
