import type { governanceRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { read, write } from '#http/verbs.ts';
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
    previewGovernance: read(previewGovernance.bind(null, intentModel), ({ body }) => body),
    replayPolicy: read(replayPolicy, ({ body }) => body),
    createAppeal: write(createAppeal, ({ body }) => body.message),
    listOwnAppeals: read(listOwnAppeals),
    listAppeals: read(listAppeals, ({ query }) => query),
    decideAppeal: write(decideAppeal, ({ params, body }) => ({ appealId: params.id, ruling: body })),
    reopenAppeal: write(reopenAppeal, ({ params }) => params.id),
    correctIntent: write(correctIntent, ({ params, body }) => ({ id: params.id, intent: body.intent })),
    listCorrections: read(listCorrections),
    explainLog: read(explainLog.bind(null, intentModel), ({ params }) => ({ id: params.id, isOwn: false })),
    explainOwnRequest: read(explainLog.bind(null, intentModel), ({ params }) => ({
      id: params.id,
      isOwn: true,
    })),
  };
}
