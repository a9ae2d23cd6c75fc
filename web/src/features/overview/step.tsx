import type { ReactNode } from 'react';
import styles from './panels.module.css';

interface StepProps {
  /** `undefined` while loading. */
  isDone: boolean | undefined;
  title: string;
  children: ReactNode;
}

/** One line of the checklist, with its tick. */
export function Step({ isDone, title, children }: StepProps) {
  return (
    <li className={styles.step}>
      <svg
        className={isDone ? styles.done : styles.open}
        width="16"
        height="16"
        viewBox="0 0 16 16"
        aria-hidden
      >
        <circle cx="8" cy="8" r="7" />
        {isDone && <path d="m5 8.2 2.1 2.1L11 6.2" />}
      </svg>
      <div>
        <h3>
          {title}
          {isDone !== undefined && <span className="visually-hidden">{isDone ? ', done' : ', to do'}</span>}
        </h3>
        <div className={styles.explanation}>{children}</div>
      </div>
    </li>
  );
}
