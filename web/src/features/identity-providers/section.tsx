import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './section.module.css';

interface SectionProps {
  title: string;
  text: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}

export function Section({ title, text, action, children }: SectionProps) {
  const id = title.toLowerCase().replaceAll(' ', '-');
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.head}>
        <div>
          <h2 id={id}>{title}</h2>
          <p className={styles.text}>{text}</p>
        </div>
        {action}
      </div>
      {children}
    </section>
  );
}

interface RowProps {
  title: ReactNode;
  /** Second line of the row. */
  detail: ReactNode;
  status: ReactNode;
  /** Buttons of the row. */
  children?: ReactNode;
}

export function Row({ title, detail, status, children }: RowProps) {
  return (
    <li className={styles.row}>
      <div className={styles.name}>
        <div className={styles.title}>{title}</div>
        <div className={styles.detail}>{detail}</div>
      </div>
      <div className={styles.status}>{status}</div>
      <div className={styles.buttons}>{children}</div>
    </li>
  );
}

interface RowButtonProps {
  verb: string;
  /** Name of the row's object, for screen readers. */
  noun: string;
  isBusy?: boolean;
  onClick: () => void;
}

export function RowButton({ verb, noun, isBusy = false, onClick }: RowButtonProps) {
  return (
    <Button
      variant="default"
      size="compact-sm"
      loading={isBusy}
      aria-label={`${verb} ${noun}`}
      onClick={onClick}
    >
      {verb}
    </Button>
  );
}
