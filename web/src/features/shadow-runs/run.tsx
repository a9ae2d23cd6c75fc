import { Button } from '@mantine/core';
import type { ShadowSummary } from '@sluice/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ChevronLeft, Download } from 'lucide-react';
import { useCallback } from 'react';
import type { TableState } from '#components/data-table/use-table-state.ts';
import { DeleteIcon } from '#components/ui/action-icons.ts';
import { Failure } from '#components/ui/notice.tsx';
import { PageHeader } from '#components/ui/page-header.tsx';
import { type Stat, StatStrip } from '#components/ui/stat-strip.tsx';
import { showError } from '#components/ui/toasts.tsx';
import { describeFailure, messageOf } from '#lib/describe-failure.ts';
import { formatUsd } from '#lib/format-money.ts';
import { formatCount, formatPart, formatQuantity } from '#lib/format-number.ts';
import { formatDay } from '#lib/format-time.ts';
import { Breakdowns } from './breakdowns.tsx';
import { countCompared, describeCostThere, describeSource } from './differences.tsx';
import { FilterLink } from './filter-link.tsx';
import { saveRequests, shadowRunQuery } from './queries.ts';
import { RunRequests } from './requests.tsx';
import styles from './run.module.css';
import type { ShadowRunsSearch } from './search.ts';
import { useRemoveRun } from './use-remove-run.ts';

interface RunDetailsProps {
  id: number;
  state: TableState<ShadowRunsSearch>;
  canDelete: boolean;
}

export function RunDetails({ id, state, canDelete }: RunDetailsProps) {
  const answer = useQuery(shadowRunQuery(id));
  const { data: summary } = answer;
  const failure = describeFailure(answer, 'The shadow run could not be loaded');
  return (
    <div className={styles.run}>
      <div className={styles.head}>
        <Link to="." search={{}} className={styles.back}>
          <ChevronLeft size={16} strokeWidth={1.5} aria-hidden />
          All shadow runs
        </Link>
        <PageHeader
          title={summary?.run.name ?? 'Shadow run'}
          subtitle={summary ? describeRun(summary.run) : 'Loading...'}
          actions={summary && <RunTools run={summary.run} search={state.search} canDelete={canDelete} />}
        />
      </div>
      {failure && <Failure {...failure} />}
      {(summary || !failure) && (
        <>
          <StatStrip label="Figures of the run" stats={listStats(summary)} />
          <Breakdowns summary={summary} search={state.search} />
          <RunRequests id={id} state={state} summary={summary} />
        </>
      )}
    </div>
  );
}

function describeRun(run: ShadowSummary['run']): string {
  const { ended_at, first_request_at: first, last_request_at: last } = run;
  const [from, to] = [first, last].map((time) => time && formatDay(time));
  const period = from && to ? `. Requests of ${from === to ? from : `${from} to ${to}`}` : '';
  return `${describeSource(run)}${period}${ended_at === null ? '. Not finished' : ''}`;
}

interface RunToolsProps {
  run: ShadowSummary['run'];
  search: ShadowRunsSearch;
  canDelete: boolean;
}

function RunTools({ run, search, canDelete }: RunToolsProps) {
  const navigate = useNavigate();
  const remove = useRemoveRun(useCallback(() => void navigate({ to: '.', search: {} }), [navigate]));
  const { mutate, isPending } = useMutation({
    mutationFn: saveRequests,
    onError: (error) => showError(messageOf(error, 'Failed to export the requests')),
  });
  const icon = { size: 14, strokeWidth: 1.5, 'aria-hidden': true } as const;
  return (
    <>
      <Button
        variant="default"
        leftSection={<Download {...icon} />}
        disabled={isPending}
        onClick={() => mutate(search)}
      >
        Export CSV
      </Button>
      {canDelete && (
        <Button variant="default" leftSection={<DeleteIcon {...icon} />} onClick={() => void remove(run)}>
          Delete
        </Button>
      )}
    </>
  );
}

/** Values are `undefined` while loading. Some figures link to a filter. */
function listStats(summary: ShadowSummary | undefined): Stat[] {
  if (!summary) return labels.map((label) => ({ label, value: undefined }));
  const { run, refusals } = summary;
  const refused = refusals.reduce((sum, { requests }) => sum + requests, 0);
  const compared = countCompared(run);
  const isCompared = compared > 0;
  const [same, refusedHere, refusedThere, cost, notCompared] = labels;
  const served = run.requests - refused;
  return [
    isCompared
      ? { label: same, ...describePart(run.none, compared, 'compared request') }
      : { label: 'Served here', ...describePart(served, run.requests, 'request') },
    {
      label: refusedHere,
      value: formatCount(refused),
      note: isCompared && (
        <FilterLink changes={{ difference: 'refused_here' }}>
          {`${formatCount(run.refused_here)} served there`}
        </FilterLink>
      ),
    },
    {
      label: refusedThere,
      value: isCompared ? (
        <FilterLink changes={{ difference: 'refused_there' }}>{formatCount(run.refused_there)}</FilterLink>
      ) : (
        '–'
      ),
      note: isCompared && 'would be served here',
    },
    {
      label: cost,
      value: isCompared ? formatUsd(run.cost_usd) : '–',
      note: isCompared && describeCostThere(run),
    },
    {
      label: notCompared,
      value: (
        <FilterLink changes={{ difference: 'not_compared' }}>{formatCount(run.not_compared)}</FilterLink>
      ),
      note: 'not in the log, or failed',
    },
  ];
}

const describePart = (part: number, whole: number, noun: string) => ({
  value: formatPart(part, whole),
  note: `${formatCount(part)} of ${formatQuantity(whole, noun)}`,
});

const labels = ['Same', 'All refusals here', 'Refused there', 'Cost here', 'Not compared'] as const;
