import styles from './form.module.css';
import { SettingsSection } from './section.tsx';

/** Placeholder while the form's values load. */
export function SettingsSkeleton() {
  return (
    <div className={styles.form} role="status">
      <span className="visually-hidden">Loading settings...</span>
      <SettingsSection title="Tenant" text="Shown to everybody in this tenant.">
        <div className={styles.blank} />
      </SettingsSection>
      <SettingsSection title="Days and months" text="">
        <div className={styles.blank} />
      </SettingsSection>
    </div>
  );
}
