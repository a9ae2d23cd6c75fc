import type { z } from 'zod';
import { tableSearch } from '#components/data-table/table-search.ts';

export const outboxSearch = tableSearch;

export const outboxPageSize = 100;

export type OutboxSearch = z.output<typeof outboxSearch>;
