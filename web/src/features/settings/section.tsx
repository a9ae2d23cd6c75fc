import type { ReactNode } from 'react';
import styles from './form.module.css';

interface SettingsSectionProps {
  title: string;
  text: string;
  children: ReactNode;
}

export function SettingsSection({ title, text, children }: SettingsSectionProps) {
  const id = title.toLowerCase().replaceAll(' ', '-');
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        <p className={styles.text}>{text}</p>
      </div>
      <div className={styles.fields}>{children}</div>
    </section>
  );
}
