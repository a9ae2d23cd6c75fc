import { useTableState } from '../../components/data-table/use-table-state.ts';
import { PageHeader } from '../../components/ui/page-header.tsx';
import { ComparisonForm } from './form.tsx';
import { ComparisonHistory } from './history.tsx';
import { ComparisonResults } from './results.tsx';
import styles from './screen.module.css';
import { comparisonSearch } from './search.ts';
import { ComparisonStats } from './stats.tsx';
import { WinRates } from './win-rates.tsx';

/** Compares models on one prompt and lists past comparisons. */
export function LlmComparisonScreen() {
  const state = useTableState(comparisonSearch);
  const { open } = state.search;
  return (
    <>
      <PageHeader
        title="LLM Comparison"
        subtitle="Put one prompt to several models; each answer counts and costs like any other request of yours"
      />
      <ComparisonStats />
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
