import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './section.module.css';

interface SectionProps {
  title: string;
  /** Purpose of the settings. */
  text: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}

/** Part of the page with a heading, an explanation and at most one button. */
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
  /** Second line. */
  detail: ReactNode;
  status: ReactNode;
  /** Buttons. */
  children?: ReactNode;
}

/** Entry of a list: its name, its state, and its buttons. */
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
  /** Name of the entry, for screen readers. */
  noun: string;
  isBusy?: boolean;
  onClick: () => void;
}

/** Button of an entry. */
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
