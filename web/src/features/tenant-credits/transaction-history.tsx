import { type CreditTransaction, transactionTypes } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ChoiceFilter } from '../../components/data-table/filter-bar.tsx';
import { Failure } from '../../components/ui/failure.tsx';
import { RefreshButton } from '../../components/ui/refresh-button.tsx';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import { describeFailure } from '../../lib/describe-failure.ts';
import { type TransactionFilters, transactionsQuery } from './queries.ts';
import styles from './transaction-history.module.css';
import { TransactionTable } from './transaction-table.tsx';

const periods = [
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
];
const types = transactionTypes.map((type) => ({
  value: type,
  label: `${type[0]?.toUpperCase()}${type.slice(1)}`,
}));

/** The newest 100 transactions, filtered by type and time. */
export function TransactionHistory({ tenantId }: { tenantId: number | undefined }) {
  const [filters, setFilters] = useState<TransactionFilters>({ type: null, days: 30 });
  const answer = useQuery(transactionsQuery(tenantId, filters));
  const failure = describeFailure(answer, 'Failed to load transaction history');
  return (
    <section aria-label="Transactions" aria-busy={answer.isFetching}>
      <div className={styles.tools}>
        <ChoiceFilter
          label="Type"
          isLabelHidden
          everything="All Types"
          options={types}
          value={filters.type ?? undefined}
          onChoose={(chosen) =>
            setFilters({ ...filters, type: transactionTypes.find((type) => type === chosen) ?? null })
          }
        />
        <ChoiceFilter
          label="Time"
          isLabelHidden
          everything="All Time"
          options={periods}
          value={filters.days === null ? undefined : String(filters.days)}
          onChoose={(chosen) =>
            setFilters({ ...filters, days: chosen === undefined ? null : Number(chosen) })
          }
        />
        <RefreshButton isBusy={answer.isFetching} onRefresh={() => void answer.refetch()} />
      </div>
      {failure && <Failure {...failure} />}
      {!failure && !answer.data && <SkeletonLines count={4} />}
      {answer.data && <Rows transactions={answer.data} />}
    </section>
  );
}

function Rows({ transactions }: { transactions: readonly CreditTransaction[] }) {
  if (transactions.length === 0) return <p className="quiet">No transactions in this time.</p>;
  return <TransactionTable transactions={transactions} />;
}
