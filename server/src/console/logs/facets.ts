import type { LogFacets } from '@sluice/contract';
import { totalCountMax } from '#domain/total-count.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { chooseRows, type LogFilters } from './chosen-rows.ts';
import { countFacets } from './store.ts';
import { withinTime } from './within-time.ts';

/** Counts the newest matching requests by status, model, provider, intent and reason. */
export function getLogFacets(ctx: SignedInContext, filters: LogFilters): Promise<LogFacets> {
  const { tenantId } = ctx.principal;
  return ctx.inTenant(async (tx) => {
    const chosen = await chooseRows(tx, tenantId, filters);
    const counts = await withinTime(tx, () => countFacets(tx, tenantId, chosen, totalCountMax + 1));
    const facetOf = (name: string) =>
      counts.filter(({ facet }) => facet === name).map(({ value, count }) => ({ value, count }));
    const rows = facetOf('status').reduce((sum, { count }) => sum + count, 0);
    return {
      rows,
      is_whole: rows <= totalCountMax,
      status: facetOf('status'),
      model: facetOf('model'),
      provider_key: facetOf('provider_key'),
      intent_classification: facetOf('intent_classification'),
      error_code: facetOf('error_code'),
    };
  });
}
