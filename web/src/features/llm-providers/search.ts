import { z } from 'zod';
import { tableSearch } from '#components/data-table/table-search.ts';

export const llmProvidersSearch = tableSearch.extend({
  /** `listed` lists all models of the price list. The default is the enabled models. */
  scope: z.literal('listed').optional().catch(undefined),
  tab: z.enum(['providers', 'models', 'registry']).optional().catch(undefined),
});

export type LlmProvidersSearch = z.output<typeof llmProvidersSearch>;
