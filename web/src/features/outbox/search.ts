import type { z } from 'zod';
import { tableSearch } from '../../components/data-table/table-search.ts';

/** What the address of the outbox may say. */
export const outboxSearch = tableSearch;

export type OutboxSearch = z.output<typeof outboxSearch>;
