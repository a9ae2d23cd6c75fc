import type { ReactNode } from 'react';
import styles from './form.module.css';

interface SettingsSectionProps {
  title: string;
  /** Purpose of these settings. */
  text: string;
  children: ReactNode;
}

export function SettingsSection({ title, text, children }: SettingsSectionProps) {
  return (
    <section className={styles.section}>
      <div>
        <h2>{title}</h2>
        <p className={styles.text}>{text}</p>
      </div>
      <div className={styles.fields}>{children}</div>
    </section>
  );
}
