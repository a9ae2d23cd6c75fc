import type { governanceRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import type { IntentModel } from '#intent/model.ts';
import { correctIntent, listCorrections } from './correct-intent.ts';
import { createAppeal } from './create-appeal.ts';
import { decideAppeal } from './decide-appeal.ts';
import { explainLog } from './explain-log.ts';
import { listAppeals, listOwnAppeals } from './list-appeals.ts';
import { previewGovernance } from './preview.ts';
import { reopenAppeal } from './reopen-appeal.ts';
import { replayPolicy } from './replay-policy.ts';

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
