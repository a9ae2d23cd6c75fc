import { z } from 'zod';
import { tableSearch } from '../../components/data-table/table-search.ts';

export const providerTabs = ['providers', 'models', 'registry'] as const;

/** What the address of LLM Providers may say. */
export const llmProvidersSearch = tableSearch.extend({
  tab: z.enum(providerTabs).optional().catch(undefined),
});
