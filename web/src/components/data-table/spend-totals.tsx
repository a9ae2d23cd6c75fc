import type { Spend } from '@sluice/contract';
import { formatUsd } from '#lib/format-money.ts';
import { formatQuantity } from '#lib/format-number.ts';
import styles from './spend-totals.module.css';

interface SpendTotalsProps {
  rows: readonly Spend[] | undefined;
  /** Noun for one row, for example `team`. */
  noun: string;
}

export function SpendTotals({ rows, noun }: SpendTotalsProps) {
  const sum = (read: (row: Spend) => number) =>
    formatUsd(rows?.reduce((total, row) => total + read(row), 0) ?? 0);
  return (
    <p className={`num quiet ${styles.totals}`} role="status" aria-label="Totals">
      {rows && (
        <>
          <span>{formatQuantity(rows.length, noun)}</span>
          <span>
            <strong>{sum(({ spend_usd_month }) => spend_usd_month)}</strong> this month
          </span>
          <span>{sum(({ spend_usd_last_month }) => spend_usd_last_month)} last month</span>
          <span>{sum(({ spend_usd_today }) => spend_usd_today)} today</span>
        </>
      )}
    </p>
  );
}

export function SpendLine({ spend }: { spend: Spend }) {
  return (
    <p className={`num quiet ${styles.totals}`}>
      <span>
        <strong>{formatUsd(spend.spend_usd_month)}</strong> this month
      </span>
      <span>{formatUsd(spend.spend_usd_last_month)} last month</span>
      <span>{formatUsd(spend.spend_usd_today)} today</span>
    </p>
  );
}
