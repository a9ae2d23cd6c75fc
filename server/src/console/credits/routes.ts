import type { creditsRoutes } from '@sluice/contract';
import type { SystemDatabase } from '#db/system.ts';
import type { Handlers } from '#http/console-route.ts';
import { bookTransaction, rechargeCredits, rechargeTenantOfUser, refundTenantOfUser } from './book.ts';
import { setLowBalanceThreshold, setServiceSpending } from './change-settings.ts';
import { getStatistics, listLowBalanceUsers } from './list-accounts.ts';
import { estimatePrice, findCheapestModel, getPricing } from './pricing.ts';
import {
  checkCredits,
  getBalance,
  listTransactions,
  proveTenantBalance,
  summarizeUsage,
  summarizeUsageByProvider,
} from './read.ts';
import { setPrice } from './set-price.ts';

export function createCreditsHandlers({
  system,
}: {
  readonly system: SystemDatabase;
}): Handlers<typeof creditsRoutes> {
  return {
    getCreditBalance: (ctx) => getBalance(ctx),
    checkCredits: (ctx, { query }) => checkCredits(ctx, query.amount),
    rechargeCredits: (ctx, { body }) => rechargeCredits(system, ctx, body),
    bookCreditTransaction: (ctx, { body }) => bookTransaction(system, ctx, body),
    listCreditTransactions: (ctx, { query }) => listTransactions(ctx, query),
    getCreditUsage: (ctx, { query }) => summarizeUsage(ctx, query.days),
    getCreditUsageByProvider: (ctx, { query }) => summarizeUsageByProvider(ctx, query.days),
    setLowBalanceThreshold: (ctx, { body }) => setLowBalanceThreshold(ctx, body.threshold),
    setServiceSpending: (ctx, { params }) => setServiceSpending(ctx, params.flag === 'true'),
    getPricing: (ctx, { query }) => getPricing(ctx, query),
    setPrice: (ctx, { body }) => setPrice(system, ctx, body),
    estimatePrice: (ctx, { query }) => estimatePrice(ctx, query),
    findCheapestModel: (ctx, { query }) => findCheapestModel(ctx, query),
    getMyTenantBalance: (ctx) => getBalance(ctx),
    proveMyTenantBalance: (ctx, { query }) => proveTenantBalance(ctx, query.days),
    listMyTenantTransactions: async (ctx, { query }) => ({
      transactions: await listTransactions(ctx, query),
    }),
    rechargeTenantOfUser: (ctx, { params, body }) => rechargeTenantOfUser(system, ctx, params.userId, body),
    listLowBalanceUsers: (_ctx, { query }) => listLowBalanceUsers(system, query.threshold),
    getCreditStatistics: () => getStatistics(system),
    refundTenantOfUser: (ctx, { params, query }) => refundTenantOfUser(system, ctx, params.userId, query),
  };
}
