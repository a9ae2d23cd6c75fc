import { Button } from '@mantine/core';
import { type CreditTransaction, transactionTypes } from '@sluice/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ChoiceFilter } from '#components/data-table/filter-bar.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { RefreshButton } from '#components/ui/refresh-button.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { Time } from '#components/ui/time.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { formatLedgerAmount, formatUsdExact } from '#lib/format-money.ts';
import { formatQuantity } from '#lib/format-number.ts';
import { providerNameOf } from '#lib/provider-registry.ts';
import { type TransactionFilters, transactionsQuery } from './queries.ts';
import styles from './transaction-history.module.css';
import transactionTableStyles from './transaction-table.module.css';

const periods = [
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
];
const types = transactionTypes.map((type) => ({
  value: type,
  label: `${type[0]?.toUpperCase()}${type.slice(1)}`,
}));

export function TransactionHistory({ tenantId }: { tenantId: number | undefined }) {
  const [filters, setFilters] = useState<TransactionFilters>({ type: null, days: 30 });
  const answer = useInfiniteQuery(transactionsQuery(tenantId, filters));
  const failure = describeFailure(answer, 'Failed to load transaction history');
  return (
    <section aria-label="Transactions" aria-busy={answer.isFetching}>
      <div className={styles.tools}>
        <ChoiceFilter
          label="Type"
          isLabelHidden
          everything="All types"
          options={types}
          value={filters.type ?? undefined}
          onChoose={(chosen) =>
            setFilters({ ...filters, type: transactionTypes.find((type) => type === chosen) ?? null })
          }
        />
        <ChoiceFilter
          label="Time"
          isLabelHidden
          everything="All time"
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
      {answer.data && <Rows transactions={answer.data.pages.flat()} />}
      {answer.hasNextPage && (
        <Button
          className={styles.more}
          variant="default"
          aria-disabled={answer.isFetchingNextPage}
          onClick={() => !answer.isFetchingNextPage && void answer.fetchNextPage()}
        >
          {answer.isFetchingNextPage ? 'Loading...' : 'Show older transactions'}
        </Button>
      )}
    </section>
  );
}

function Rows({ transactions }: { transactions: readonly CreditTransaction[] }) {
  if (transactions.length === 0) return <p className="quiet">No transactions in this period.</p>;
  return <TransactionTable transactions={transactions} />;
}

function TransactionTable({ transactions }: { transactions: readonly CreditTransaction[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <section className={transactionTableStyles.frame} tabIndex={0} aria-label="List of transactions">
      <table className={`num ${transactionTableStyles.table}`}>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Type</th>
            <th scope="col">Description</th>
            <th scope="col">Reference</th>
            <th scope="col" className={transactionTableStyles.amount}>
              Amount
            </th>
            <th scope="col" className={transactionTableStyles.amount}>
              Balance
            </th>
          </tr>
        </thead>
        <tbody>
          {transactions.map((transaction) => (
            <tr key={transaction.id}>
              <td>
                <Time value={transaction.created_at} isTabStop={false} />
              </td>
              <td className={transactionTableStyles.type}>{transaction.transaction_type}</td>
              <td>{describeUse(transaction)}</td>
              <td>
                {transaction.payment_reference && <code>…{transaction.payment_reference.slice(-8)}</code>}
              </td>
              <td className={transactionTableStyles.amount}>
                {formatLedgerAmount(signedAmountOf(transaction))}
              </td>
              <td className={transactionTableStyles.amount}>
                {formatUsdExact(transaction.balance_after, 4)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Stored amounts are unsigned, except for adjustments. */
function signedAmountOf({ transaction_type, amount }: CreditTransaction): number {
  return transaction_type === 'deduction' || transaction_type === 'penalty' ? -amount : amount;
}

function describeUse({
  description,
  provider_key,
  model_name,
  requests,
  tokens_used,
}: CreditTransaction): string {
  if (model_name === null) return description;
  const use = `${formatQuantity(requests ?? 0, 'request')}, ${formatQuantity(tokens_used ?? 0, 'token')}`;
  const provider = provider_key === null ? '' : `${providerNameOf(provider_key)} `;
  return `${provider}${model_name}: ${use}`;
}
