import type { budgetsRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { read, write } from '#http/verbs.ts';
import { createBudget, deleteBudget, endBudgetRaise, raiseBudget, updateBudget } from './change.ts';
import { getBudgetHistory } from './history.ts';
import { getBudget, listBudgets, listOwnBudgets } from './read.ts';
import { replayBudget } from './replay.ts';

export function createBudgetsHandlers(): Handlers<typeof budgetsRoutes> {
  return {
    listBudgets: read(listBudgets, ({ query }) => query),
    createBudget: write(createBudget, ({ body }) => body),
    replayBudget: read(replayBudget, ({ body }) => body),
    getBudget: read(getBudget, ({ params }) => params.id),
    getBudgetHistory: read(getBudgetHistory, ({ params }) => params.id),
    updateBudget: write(updateBudget, ({ params, body }) => ({ id: params.id, body })),
    deleteBudget: write(deleteBudget, ({ params }) => params.id),
    raiseBudget: write(raiseBudget, ({ params, body }) => ({ id: params.id, body })),
    endBudgetRaise: write(endBudgetRaise, ({ params }) => params.id),
    listOwnBudgets: read(listOwnBudgets),
  };
}
