import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import styles from './page-header.module.css';

interface PageHeaderProps {
  title: string;
  subtitle: string;
  /** Actions of the page, on the right. */
  actions?: ReactNode;
}

/** A page's heading; names the browser tab too. */
export function PageHeader({ title, subtitle, actions }: PageHeaderProps) {
  useDocumentTitle(`${title} · Sluice`);
  return (
    <div className={styles.header}>
      <div>
        <h1>{title}</h1>
        <p className={styles.subtitle}>{subtitle}</p>
      </div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}
