import {
  type CsvValue,
  type Statement,
  type StatementGrouping,
  type StatementRow,
  splitLabel,
  statementRowsMax,
  toUsd,
} from '@sluice/contract';
import { readRange } from '#console/analytics/range.ts';
import { startExport } from '#console/exports/start-export.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { notFound } from '#errors/console-error.ts';
import type { Download, SignedInContext } from '#http/console-route.ts';
import { findCalendar, type StatementSums, selectSums } from './store.ts';

export interface StatementQuery {
  readonly month: string;
  readonly team_id?: readonly number[] | undefined;
  /** Grouping of the statement; `label` by default if a label is specified. */
  readonly by?: StatementGrouping | undefined;
  readonly label?: string | undefined;
}

/** A label without a value is not a filter, except in a statement by team. */
function readGrouping({ by, label: given, team_id }: StatementQuery) {
  const label = given === undefined ? null : splitLabel(given);
  const grouping = by ?? (label ? 'label' : 'team');
  const isFilter = label !== null && (label.value !== null || grouping === 'team');
  return {
    by: grouping,
    label: grouping === 'label' ? (label?.name ?? '') : null,
    filters: { team_id, label: isFilter ? given : undefined },
    isFiltered: isFilter || team_id !== undefined,
  };
}

/** The rows add up to the total. */
export async function getStatement(
  tx: TenantTransaction,
  { tenantId }: Pick<Principal, 'tenantId'>,
  query: StatementQuery,
): Promise<Statement> {
  const { month } = query;
  const { by, label, filters, isFiltered } = readGrouping(query);
  const firstDay = `${month}-01`;
  const lastDay = findLastDay(month);
  const range = await readRange(tx, tenantId, {
    start_date: firstDay,
    end_date: lastDay,
    days: 1,
    ...filters,
  });
  const tenant = await findCalendar(tx, tenantId, lastDay);
  if (!tenant) throw notFound('Tenant');
  const sums = await selectSums(tx, range, { by, label: label ?? '', rowsMax: statementRowsMax });
  const groups = sums.filter(({ kind }) => kind === 'value' || kind === 'other');
  const total = sums.find(({ kind }) => kind === 'total') ?? nothing;
  const booked = sums.find(({ kind }) => kind === 'ledger') ?? nothing;
  return {
    month,
    by,
    label,
    tenant_name: tenant.name,
    time_zone: range.timeZone,
    first_day: firstDay,
    last_day: lastDay,
    is_over: tenant.isOver,
    is_reduced: range.firstKeptDay > firstDay,
    rows: [...groups.map(toRow), ...listRest(groups, total)],
    total: toAmounts(total),
    is_filtered: isFiltered,
    ledger_deductions_usd: isFiltered ? null : toUsd(BigInt(booked.service)),
    matches_ledger: isFiltered ? null : BigInt(booked.service) === BigInt(total.service),
  };
}

function findLastDay(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}

type Sums = Omit<StatementSums, 'kind' | 'teamId' | 'name'>;

const nothing: Sums = { requests: 0, tokens: 0, self: '0', service: '0' };

function toAmounts({ requests, tokens, self, service }: Sums) {
  return {
    requests,
    tokens,
    self_managed_usd: toUsd(BigInt(self)),
    service_managed_usd: toUsd(BigInt(service)),
    cost_usd: toUsd(BigInt(self) + BigInt(service)),
  };
}

function toRow({ kind, teamId, name, ...sums }: StatementSums): StatementRow {
  return {
    kind: kind === 'value' ? 'value' : 'other',
    name: name ?? '',
    team_id: teamId,
    ...toAmounts(sums),
  };
}

/** Returns a row for requests that no other row includes, or an empty list if all are included. */
function listRest(groups: readonly Sums[], total: Sums): StatementRow[] {
  const rest = groups.reduce<Sums>(
    (left, row) => ({
      requests: left.requests - row.requests,
      tokens: left.tokens - row.tokens,
      self: String(BigInt(left.self) - BigInt(row.self)),
      service: String(BigInt(left.service) - BigInt(row.service)),
    }),
    total,
  );
  return rest.requests === 0 ? [] : [{ kind: 'none', name: '', team_id: null, ...toAmounts(rest) }];
}

type Line = Omit<StatementRow, 'kind'> & { readonly kind: StatementRow['kind'] | 'total' };

export function exportStatement(ctx: SignedInContext, query: StatementQuery): Promise<Download> {
  const { month, team_id, by, label } = query;
  const column =
    <Name extends keyof Line>(name: Name) =>
    (line: Line): CsvValue =>
      line[name];
  return startExport<Line, true>(ctx, {
    noun: `statement-${month}`,
    format: 'csv',
    filters: { month, team_id, by, label },
    columns: {
      month: () => month,
      kind: column('kind'),
      [readGrouping(query).label ?? 'team']: column('name'),
      requests: column('requests'),
      tokens: column('tokens'),
      self_managed_usd: column('self_managed_usd'),
      service_managed_usd: column('service_managed_usd'),
      cost_usd: column('cost_usd'),
    },
    keyOf: () => true,
    readBatch: async (tx, isRead) => {
      if (isRead) return [];
      const { rows, total } = await getStatement(tx.reports, ctx.principal, query);
      return [...rows, { kind: 'total', name: '', team_id: null, ...total }];
    },
  });
}
