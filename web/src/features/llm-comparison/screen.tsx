import { useQuery } from '@tanstack/react-query';
import { useTableState } from '#components/data-table/use-table-state.ts';
import { PageHeader } from '#components/ui/page-header.tsx';
import { StatStrip } from '#components/ui/stat-strip.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { formatUsdExact } from '#lib/format-money.ts';
import { ComparisonForm } from './form.tsx';
import { ComparisonHistory } from './history.tsx';
import { comparisonStatsQuery } from './queries.ts';
import { ComparisonResults } from './results.tsx';
import styles from './screen.module.css';
import { comparisonSearch } from './search.ts';
import { WinRates } from './win-rates.tsx';

export function LlmComparisonScreen() {
  const state = useTableState(comparisonSearch);
  const { open, of } = state.search;
  return (
    <>
      <PageHeader
        title="LLM Comparison"
        subtitle="Send one prompt to several models. Each answer counts toward your limits and costs as much as any other request"
      />
      <ComparisonStats isAmongAll={of === 'everyone'} />
      <div className={styles.current}>
        {open === undefined ? (
          <ComparisonForm onStarted={({ id }) => state.change({ open: id })} />
        ) : (
          <ComparisonResults key={open} id={String(open)} onNew={() => state.change({ open: undefined })} />
        )}
      </div>
      <WinRates />
      <ComparisonHistory state={state} />
    </>
  );
}

interface ComparisonStatsProps {
  /** Whether the history below shows the comparisons of all users. */
  isAmongAll: boolean;
}

function ComparisonStats({ isAmongAll }: ComparisonStatsProps) {
  const answer = useQuery(comparisonStatsQuery);
  const { data } = answer;
  const note = isAmongAll ? 'your own comparisons only' : undefined;
  return (
    <StatStrip
      label="Comparison statistics"
      failure={describeFailure(answer, 'Unknown error', 'Error loading the figures of comparisons')}
      stats={[
        { label: 'Total Comparisons', value: data?.total_comparisons, note },
        { label: 'Total Cost', value: data && formatUsdExact(data.total_cost, 6), note },
        {
          label: 'Average Cost per Comparison',
          value: data && formatUsdExact(data.average_cost_per_comparison, 6),
          note,
        },
      ]}
    />
  );
}
