import { type ReactNode, useEffect, useRef } from 'react';
import styles from './focused-section.module.css';

/** Replaces a form and gets the focus, because the pressed button no longer exists. */
export function FocusedSection({ label, children }: { label: string; children: ReactNode }) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => section.current?.focus(), []);
  return (
    <section ref={section} className={styles.section} aria-label={label} tabIndex={-1}>
      {children}
    </section>
  );
}
