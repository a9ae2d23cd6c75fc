import { formatTable } from '../command.ts';
import { type Finding, type ImportedKind, importedKinds } from './findings.ts';

export interface KindCounts {
  created: number;
  existing: number;
}

export type Counts = Record<ImportedKind, KindCounts>;

export const createCounts = (): Counts =>
  Object.fromEntries(importedKinds.map((kind) => [kind, { created: 0, existing: 0 }])) as Counts;

export interface ImportReport {
  readonly source: string;
  readonly tenant: string;
  readonly is_plan: boolean;
  readonly changes: number;
  readonly kinds: readonly {
    readonly kind: ImportedKind;
    readonly created: number;
    readonly existing: number;
    readonly approximated: number;
    readonly not_carried: number;
  }[];
  readonly findings: readonly Finding[];
}

interface Outcome {
  readonly source: string;
  readonly tenant: string;
  readonly isPlan: boolean;
  readonly counts: Counts;
  readonly findings: readonly Finding[];
}

export function createReport({ source, tenant, isPlan, counts, findings }: Outcome): ImportReport {
  const sum = (kind: ImportedKind, outcome: Finding['outcome']) =>
    findings
      .filter((finding) => finding.kind === kind && finding.outcome === outcome)
      .reduce((total, { count }) => total + count, 0);
  const kinds = importedKinds.map((kind) => ({
    kind,
    ...counts[kind],
    approximated: sum(kind, 'approximated'),
    not_carried: sum(kind, 'not_carried'),
  }));
  const changes = kinds.reduce((total, { created }) => total + created, 0);
  return { source, tenant, is_plan: isPlan, changes, kinds, findings };
}

export function formatReport(report: ImportReport): string {
  const { changes, is_plan: isPlan, source, tenant } = report;
  const verb = isPlan ? 'would create' : 'created';
  const rows = report.kinds
    .filter(({ kind: _, ...counts }) => Object.values(counts).some((count) => count > 0))
    .map((row) => [row.kind, row.created, row.existing, row.approximated, row.not_carried]);
  const heading =
    changes === 0
      ? `Everything that can be imported from ${source} is already in the organization ${tenant}.`
      : `The import from ${source} ${verb} ${changes} ${changes === 1 ? 'object' : 'objects'} in the organization ${tenant}.`;
  const columns = ['kind', isPlan ? 'to create' : 'created', 'already there', 'approximated', 'not carried'];
  return [
    heading,
    '',
    formatTable(columns, rows),
    ...formatFindings('Approximated', report.findings, 'approximated'),
    ...formatFindings('Not carried', report.findings, 'not_carried'),
  ].join('\n');
}

function formatFindings(title: string, findings: readonly Finding[], outcome: Finding['outcome']): string[] {
  const lines = findings.filter((finding) => finding.outcome === outcome).map(formatFinding);
  return lines.length === 0 ? [] : ['', title, ...lines];
}

function formatFinding({ kind, count, examples, reason }: Finding): string {
  const more = count > examples.length ? ` and ${count - examples.length} more` : '';
  return `  ${kind} (${examples.join(', ')}${more}): ${reason}`;
}
