import type { budgetRaiseRequestsRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { read, write } from '#http/verbs.ts';
import {
  decideRaiseRequest,
  listOwnRaiseRequests,
  listRaiseRequests,
  requestBudgetRaise,
} from './raise-requests.ts';

export function createBudgetRaiseRequestsHandlers(): Handlers<typeof budgetRaiseRequestsRoutes> {
  return {
    requestBudgetRaise: write(requestBudgetRaise, ({ body }) => body),
    listOwnRaiseRequests: read(listOwnRaiseRequests),
    listRaiseRequests: read(listRaiseRequests, ({ query }) => query),
    decideRaiseRequest: write(decideRaiseRequest, ({ params, body }) => ({ id: params.id, ...body })),
  };
}
