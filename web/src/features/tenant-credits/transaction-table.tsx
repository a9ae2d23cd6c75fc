import type { CreditTransaction } from '@sluice/contract';
import { Time } from '../../components/ui/time.tsx';
import { formatSignedUsd, formatUsdExact } from '../../lib/format-money.ts';
import { formatCount } from '../../lib/format-number.ts';
import styles from './transaction-table.module.css';

/** Transactions, newest first, each with the resulting balance. */
export function TransactionTable({ transactions }: { transactions: readonly CreditTransaction[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, by keyboard too
    <section className={styles.frame} tabIndex={0} aria-label="List of transactions">
      <table className={`num ${styles.table}`}>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Type</th>
            <th scope="col">Description</th>
            <th scope="col">Reference</th>
            <th scope="col" className={styles.amount}>
              Amount
            </th>
            <th scope="col" className={styles.amount}>
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
              <td className={styles.type}>{transaction.transaction_type}</td>
              <td>{formatUse(transaction)}</td>
              <td>
                {transaction.payment_reference && <code>…{transaction.payment_reference.slice(-8)}</code>}
              </td>
              <td className={styles.amount}>{formatSignedUsd(signedAmountOf(transaction))}</td>
              <td className={styles.amount}>{formatUsdExact(transaction.balance_after, 4)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Returns the signed change of the balance. Amounts are unsigned, except those of adjustments. */
function signedAmountOf({ transaction_type, amount }: CreditTransaction): number {
  return transaction_type === 'deduction' || transaction_type === 'penalty' ? -amount : amount;
}

function formatUse({
  description,
  provider_key,
  model_name,
  requests,
  tokens_used,
}: CreditTransaction): string {
  if (model_name === null) return description;
  const use = `${formatCount(requests ?? 0)} requests, ${formatCount(tokens_used ?? 0)} tokens`;
  return `${provider_key ?? ''} ${model_name}: ${use}`;
}
