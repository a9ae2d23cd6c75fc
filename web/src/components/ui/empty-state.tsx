import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

interface EmptyStateProps {
  /** Title, for example `No users yet`. */
  title: string;
  /** Explains why the list is empty, or what it would contain. */
  children?: ReactNode;
  /** Button or link to the next step. */
  action?: ReactNode;
}

export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <svg width="40" height="32" viewBox="0 0 40 32" aria-hidden="true">
        <path className={styles.posts} d="M5 3v26M35 3v26M5 8h30" />
        <path className={styles.gate} d="M12 8v9M18 8v13M24 8v9M30 8v13" />
      </svg>
      <p className={styles.title}>{title}</p>
      {children !== undefined && <p className={styles.text}>{children}</p>}
      {action !== undefined && <div className={styles.action}>{action}</div>}
    </div>
  );
}
