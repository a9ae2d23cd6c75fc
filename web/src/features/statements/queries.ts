import { analyticsRoutes, type Statement, statementsRoutes } from '@sluice/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { createApiClient } from '#lib/api.ts';
import { downloadFile, readFileName } from '#lib/download-file.ts';
import type { LogsPlace } from '#lib/logs-place.ts';

const calls = createApiClient(statementsRoutes);
const analytics = createApiClient(analyticsRoutes);

/** If `label` is `undefined`, rows are grouped by team. */
export interface StatementChoice {
  readonly month: string;
  readonly label: string | undefined;
}

/**
 * Fetches a statement as JSON.
 * @throws TypeError if the server returns a file.
 */
async function fetchStatement(query: StatementChoice, signal: AbortSignal): Promise<Statement> {
  const answer = await calls.getStatement({ query }, { signal });
  if (answer instanceof Blob) throw new TypeError('The statement is not JSON');
  return answer;
}

export const statementQuery = (choice: StatementChoice) =>
  queryOptions({
    queryKey: ['statements', choice.month, choice.label ?? null],
    queryFn: ({ signal }) => fetchStatement(choice, signal),
    placeholderData: keepPreviousData,
  });

/** Covers labels used in the last year. */
export const labelNamesQuery = queryOptions({
  queryKey: ['statements', 'labels'],
  queryFn: async ({ signal }) =>
    (await analytics.listUsedLabels({ query: { days: 366 } }, { signal })).map(({ name }) => name),
});

/** Downloads a CSV file. */
export async function saveStatement(choice: StatementChoice): Promise<void> {
  let fileName = `sluice-statement-${choice.month}.csv`;
  const onHeaders = (headers: Headers) => {
    fileName = readFileName(headers) ?? fileName;
  };
  const file = await calls.getStatement({ query: { ...choice, format: 'csv' } }, { onHeaders });
  if (file instanceof Blob) downloadFile(fileName, file);
}

export function nameRow({ kind, name }: Statement['rows'][number], label: string | null): string {
  if (kind === 'other') return 'Other values';
  if (kind === 'none') return label === null ? 'No team' : `Without ${label}`;
  return name === '' ? '(empty)' : name;
}

/**
 * Returns the place in System Logs with exactly the requests of a row, or `null` if no filter selects them. Rejected
 * requests are not in statements.
 */
export function findRequests(
  { kind, name, team_id }: Statement['rows'][number],
  { first_day: start, label, last_day: end }: Pick<Statement, 'first_day' | 'label' | 'last_day'>,
): LogsPlace | null {
  if (kind !== 'value') return null;
  const days = { start, end, status: 'admitted' } as const;
  if (label !== null) return { ...days, label: `${label}=${name}` };
  return team_id === null ? null : { ...days, team: team_id };
}

/** The ledger keeps the deductions of usage that the retention policy has deleted, which is not an error. */
export function compareWithLedger({
  is_reduced,
  matches_ledger,
}: Pick<Statement, 'is_reduced' | 'matches_ledger'>): { kind: 'ok' | 'off' | 'bad'; text: string } {
  if (matches_ledger) return { kind: 'ok', text: 'Equal to the ledger' };
  if (is_reduced) return { kind: 'off', text: 'Not comparable: usage has been deleted' };
  return { kind: 'bad', text: 'Differs from the ledger' };
}
