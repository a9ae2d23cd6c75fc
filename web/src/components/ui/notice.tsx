import type { ReactNode } from 'react';
import styles from './notice.module.css';
import { StatusMark } from './status-mark.tsx';

interface NoticeProps {
  kind: 'ok' | 'warn' | 'bad';
  title: ReactNode;
  /** Button or link at the end of the notice. */
  action?: ReactNode;
  /** More to say, below. */
  children?: ReactNode;
}

/** Something that is to be read, tinted by how it stands. */
export function Notice({ kind, title, action, children }: NoticeProps) {
  return (
    <div className={`${styles.notice} ${styles[kind]}`}>
      <div>
        <StatusMark kind={kind}>{title}</StatusMark>
        {children && <div className={styles.more}>{children}</div>}
      </div>
      {action}
    </div>
  );
}
