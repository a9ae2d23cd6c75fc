import { analyticsRoutes, type Statement, statementsRoutes } from '@sluice/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { createApiClient } from '#lib/api.ts';
import { downloadFile, readFileName } from '#lib/download-file.ts';

const calls = createApiClient(statementsRoutes);
const analytics = createApiClient(analyticsRoutes);

/** Month of a statement, and the label that groups it; `undefined` groups by team. */
export interface StatementChoice {
  readonly month: string;
  readonly label: string | undefined;
}

const toInput = ({ month, label }: StatementChoice) => ({
  params: { month },
  query: label === undefined ? ({ by: 'team' } as const) : ({ by: 'label', label } as const),
});

export const statementQuery = (choice: StatementChoice) =>
  queryOptions({
    queryKey: ['statements', choice.month, choice.label ?? null],
    queryFn: ({ signal }) => calls.getStatement(toInput(choice), { signal }),
    placeholderData: keepPreviousData,
  });

/** Names of the labels of the last year. */
export const labelNamesQuery = queryOptions({
  queryKey: ['statements', 'labels'],
  queryFn: async ({ signal }) =>
    (await analytics.listUsedLabels({ query: { days: 366 } }, { signal })).map(({ name }) => name),
});

/** Downloads the statement as CSV. */
export async function saveStatement(choice: StatementChoice): Promise<void> {
  let fileName = `sluice-statement-${choice.month}.csv`;
  const onHeaders = (headers: Headers) => {
    fileName = readFileName(headers) ?? fileName;
  };
  const file = await calls.exportStatement(toInput(choice), { onHeaders });
  downloadFile(fileName, file);
}

/** Returns the text of a row's first cell. */
export function nameRow({ kind, name }: Statement['rows'][number], label: string | null): string {
  if (kind === 'other') return 'Other values';
  if (kind === 'none') return label === null ? 'No team' : `Without ${label}`;
  return name === '' ? '(empty)' : name;
}
