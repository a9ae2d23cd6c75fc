import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatUsd } from '#lib/format-money.ts';
import { formatQuantity } from '#lib/format-number.ts';
import panelsStyles from './panels.module.css';
import styles from './screen.module.css';

interface RankingProps {
  title: string;
  /** Shown if there are no rows. */
  none: string;
  rows:
    | readonly {
        key: string | number;
        name: ReactNode;
        total_requests: number;
        cost_usd: number;
        /** Filters of the rows in System Logs. `null` if no filter selects them. */
        place: object | null;
      }[]
    | undefined;
}

/** Covers the last 30 days. Each figure links to its rows. */
export function Ranking({ title, none, rows }: RankingProps) {
  return (
    <Panel title={title} note="30 days">
      {rows?.length === 0 && <p className={panelsStyles.explanation}>{none}</p>}
      <dl className={`num ${panelsStyles.breakdown}`}>
        {rows?.map(({ key, name, total_requests, cost_usd, place }) => (
          <div key={key}>
            <dt>{name}</dt>
            <dd className={styles.measures}>
              <RowsLink place={place}>{formatUsd(cost_usd)}</RowsLink>
              <RowsLink place={place}>{formatQuantity(total_requests, 'request')}</RowsLink>
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

/** Plain text if no filter selects the rows. */
export function RowsLink({ place, children }: { place: object | null; children: ReactNode }) {
  if (place === null) return <span>{children}</span>;
  return (
    <Link to="/admin/logs" search={place}>
      {children}
    </Link>
  );
}

interface PanelProps {
  title: string;
  note?: string;
  children: ReactNode;
}

export function Panel({ title, note, children }: PanelProps) {
  return (
    <section className={panelsStyles.panel} aria-label={title}>
      <header className={panelsStyles.header}>
        <h2>{title}</h2>
        {note && <span className={panelsStyles.explanation}>{note}</span>}
      </header>
      <div className={panelsStyles.today}>{children}</div>
    </section>
  );
}
