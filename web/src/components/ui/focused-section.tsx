import { type ReactNode, useEffect, useRef } from 'react';
import styles from './focused-section.module.css';

/** What takes the place of a form; the button that was pressed is gone, and the focus with it. */
export function FocusedSection({ label, children }: { label: string; children: ReactNode }) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => section.current?.focus(), []);
  return (
    <section ref={section} className={styles.section} aria-label={label} tabIndex={-1}>
      {children}
    </section>
  );
}
