import type { creditsRoutes } from '@sluice/contract';
import { createAcrossTenants } from '#console/across-tenants.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { Handlers, SignedInContext } from '#http/console-route.ts';
import { outside, Page, read, write } from '#http/verbs.ts';
import {
  bookCreditTransaction,
  rechargeCredits,
  rechargeTenantOfUser,
  refundTenantOfUser,
  type Sourced,
} from './book.ts';
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
  type TransactionQuery,
} from './read.ts';
import { setPrice } from './set-price.ts';

export function createCreditsHandlers({
  system,
}: {
  readonly system: SystemDatabase;
}): Handlers<typeof creditsRoutes> {
  const acrossTenants = createAcrossTenants(system);
  const sourced = <Body>(body: Body, { requestId }: SignedInContext): Sourced<Body> => ({
    source: `console/${requestId}`,
    body,
  });
  return {
    getCreditBalance: read(getBalance),
    checkCredits: read(checkCredits, ({ query }) => query.amount),
    rechargeCredits: acrossTenants(rechargeCredits, ({ body }, ctx) => sourced(body, ctx)),
    bookCreditTransaction: acrossTenants(bookCreditTransaction, ({ body }, ctx) => sourced(body, ctx)),
    listCreditTransactions: read(listTransactions, ({ query }) => query),
    getCreditUsage: read(summarizeUsage, ({ query }) => query.days),
    getCreditUsageByProvider: read(summarizeUsageByProvider, ({ query }) => query.days),
    setLowBalanceThreshold: write(setLowBalanceThreshold, ({ body }) => body.threshold),
    setServiceSpending: write(setServiceSpending, ({ params }) => params.flag === 'true'),
    getPricing: read(getPricing, ({ query }) => query),
    setPrice: outside('spans two scopes', (ctx, { body }) => setPrice(system, ctx, body)),
    estimatePrice: read(estimatePrice, ({ query }) => query),
    findCheapestModel: read(findCheapestModel, ({ query }) => query),
    getMyTenantBalance: read(getBalance),
    proveMyTenantBalance: read(proveTenantBalance, ({ query }) => query.days),
    listMyTenantTransactions: read(
      async (tx, author, query: TransactionQuery) => {
        const { body: transactions, total } = await listTransactions(tx, author, query);
        return new Page({ transactions }, total);
      },
      ({ query }) => query,
    ),
    rechargeTenantOfUser: acrossTenants(rechargeTenantOfUser, ({ params, body }, ctx) => ({
      ...sourced(body, ctx),
      userId: params.userId,
    })),
    listLowBalanceUsers: acrossTenants(listLowBalanceUsers, ({ query }) => query.threshold),
    getCreditStatistics: acrossTenants(getStatistics),
    refundTenantOfUser: acrossTenants(refundTenantOfUser, ({ params, query }, ctx) => ({
      ...sourced(query, ctx),
      userId: params.userId,
    })),
  };
}
