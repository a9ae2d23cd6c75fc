import { z } from 'zod';
import { tableSearch } from '#components/data-table/table-search.ts';

/** Search parameters of LLM Providers. */
export const llmProvidersSearch = tableSearch.extend({
  /** Models to list. Default: the enabled ones. */
  scope: z.literal('listed').optional().catch(undefined),
  tab: z.enum(['providers', 'models', 'registry']).optional().catch(undefined),
});

export type LlmProvidersSearch = z.output<typeof llmProvidersSearch>;
