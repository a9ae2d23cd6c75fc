import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { formatClock } from '#lib/format-time.ts';
import { useDataAge } from '#lib/read-replica.ts';
import styles from './page-header.module.css';

interface PageHeaderProps {
  title: string;
  subtitle: string;
  actions?: ReactNode;
}

export function PageHeader({ title, subtitle, actions }: PageHeaderProps) {
  useDocumentTitle(`${title} · Sluice`);
  return (
    <div className={styles.header}>
      <div>
        <h1>{title}</h1>
        <p className={styles.subtitle}>{subtitle}</p>
        <DataAge />
      </div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}

/** Shown if lists are read from a replica that lags behind. */
function DataAge() {
  const asOf = useDataAge();
  if (asOf === null) return null;
  return (
    <p className={styles.subtitle} role="status">
      Data as of {formatClock(asOf)}
    </p>
  );
}
