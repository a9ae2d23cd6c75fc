import type { budgetDefaultsRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { read, write } from '#http/verbs.ts';
import {
  createBudgetDefault,
  deleteBudgetDefault,
  listBudgetDefaults,
  updateBudgetDefault,
} from './change-default.ts';
import { previewBudgetDefault } from './preview-default.ts';

export function createBudgetDefaultsHandlers(): Handlers<typeof budgetDefaultsRoutes> {
  return {
    listBudgetDefaults: read(listBudgetDefaults),
    createBudgetDefault: write(createBudgetDefault, ({ body }) => body),
    updateBudgetDefault: write(updateBudgetDefault, ({ params, body }) => ({ id: params.id, body })),
    deleteBudgetDefault: write(deleteBudgetDefault, ({ params }) => params.id),
    previewBudgetDefault: write(previewBudgetDefault, ({ body }) => body),
  };
}
