import { Button } from '@mantine/core';
import type { ShadowSummary } from '@sluice/contract';
import { type ReactNode, useState } from 'react';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { formatUsd } from '#lib/format-money.ts';
import { formatCount, formatQuantity } from '#lib/format-number.ts';
import styles from './breakdowns.module.css';
import { FilterLink } from './filter-link.tsx';
import type { ShadowRunsSearch } from './search.ts';

interface BreakdownsProps {
  summary: ShadowSummary | undefined;
  search: ShadowRunsSearch;
}

/** Each row filters the requests. */
export function Breakdowns({ summary, search }: BreakdownsProps) {
  return (
    <div className={styles.columns}>
      <Breakdown
        title="All refusals here, by error code"
        none="No request would be refused."
        rows={summary?.refusals.map(({ error_code: code, requests, users }) => ({
          key: code,
          name: (
            <FilterLink changes={{ code }} isCurrent={search.code === code}>
              <code>{breakable(code)}</code>
            </FilterLink>
          ),
          amount: formatQuantity(requests, 'request'),
          note: users === 0 ? 'unknown callers' : formatQuantity(users, 'user'),
        }))}
      />
      <Breakdown
        title="Models"
        none="There are no requests."
        rows={summary?.models.map(({ model_requested: model, ...sums }) => ({
          key: model,
          name: (
            <FilterLink changes={{ model }} isCurrent={search.model === model}>
              {model}
            </FilterLink>
          ),
          ...describeSums(sums),
        }))}
      />
      <Breakdown
        title="Users"
        none="There are no requests."
        rows={summary?.users.map(({ user_id: user, user_name: name, user_email: email, ...sums }) => ({
          key: user ?? 0,
          name:
            user === null ? (
              'Unknown callers'
            ) : (
              <FilterLink changes={{ user }} isCurrent={search.user === user}>
                <span title={email ?? undefined}>{name}</span>
              </FilterLink>
            ),
          ...describeSums(sums),
        }))}
      />
    </div>
  );
}

/** Allows line breaks after underscores, so that long error codes wrap. */
const breakable = (code: string) => code.replaceAll('_', '_\u200b');

type Sums = Omit<ShadowSummary['models'][number], 'model_requested'>;

function describeSums({ requests, not_compared, refused_here, cost_usd, other_cost_usd }: Sums) {
  const notes = [
    refused_here > 0 && `${formatCount(refused_here)} refused here`,
    requests > not_compared && `${formatUsd(cost_usd)} here, ${formatUsd(other_cost_usd)} there`,
  ];
  return {
    amount: formatQuantity(requests, 'request'),
    note: notes.filter(Boolean).join(' · ') || 'not compared',
  };
}

interface BreakdownRow {
  key: string | number;
  name: ReactNode;
  amount: string;
  note: string;
}

interface BreakdownProps {
  title: string;
  none: string;
  rows: readonly BreakdownRow[] | undefined;
}

const rowsAtFirst = 4;

function Breakdown({ title, none, rows }: BreakdownProps) {
  const [isWhole, setWhole] = useState(false);
  return (
    <section className={styles.panel} aria-label={title}>
      <h2 className={styles.title}>{title}</h2>
      {!rows && (
        <div className={styles.text}>
          <SkeletonLines count={rowsAtFirst} />
        </div>
      )}
      {rows?.length === 0 && <p className={`quiet ${styles.text}`}>{none}</p>}
      <dl className={`num ${styles.rows}`}>
        {rows?.slice(0, isWhole ? undefined : rowsAtFirst).map(({ key, name, amount, note }) => (
          <div key={key}>
            <dt>{name}</dt>
            <dd>{amount}</dd>
            <dd className={styles.note}>{note}</dd>
          </div>
        ))}
      </dl>
      {rows && rows.length > rowsAtFirst && (
        <div className={styles.more}>
          <Button variant="default" onClick={() => setWhole(!isWhole)}>
            {isWhole ? 'Show fewer' : `Show all ${formatCount(rows.length)}`}
          </Button>
        </div>
      )}
    </section>
  );
}
