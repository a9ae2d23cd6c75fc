import { z } from 'zod';
import { tableSearch } from '../../components/data-table/table-search.ts';

/** What the address of LLM Providers may say. */
export const llmProvidersSearch = tableSearch.extend({
  /** Which models are listed: those enabled, unless all are asked for. */
  scope: z.literal('listed').optional().catch(undefined),
  tab: z.enum(['providers', 'models', 'registry']).optional().catch(undefined),
});

export type LlmProvidersSearch = z.output<typeof llmProvidersSearch>;
