import { useQuery } from '@tanstack/react-query';
import { Failure } from '#components/ui/notice.tsx';
import { PageHeader } from '#components/ui/page-header.tsx';
import { ScimTokensPanel } from '#features/scim-tokens/index.ts';
import { describeFailure } from '#lib/describe-failure.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import styles from './form.module.css';
import { settingsQuery } from './queries.ts';
import { SettingsSection } from './section.tsx';

/** Loaded separately, because the form has many fields. */
const SettingsForm = lazyPart(() => import('./form.tsx'), 'SettingsForm', <SettingsSkeleton />);

export function SettingsScreen() {
  const answer = useQuery(settingsQuery);
  const { data: settings } = answer;
  const failure = describeFailure(answer, 'Unknown error', 'Error loading settings');
  return (
    <>
      <PageHeader title="Settings" subtitle="Settings for all users of this tenant" />
      {failure && <Failure {...failure} />}
      {settings ? <SettingsForm saved={settings} /> : !failure && <SettingsSkeleton />}
      <div className={styles.form}>
        <SettingsSection
          title="User provisioning"
          text="An identity provider such as Entra ID or Okta creates, updates and deactivates users and teams by SCIM 2.0. These changes apply immediately and do not need Save changes."
        >
          <ScimTokensPanel />
        </SettingsSection>
      </div>
    </>
  );
}

function SettingsSkeleton() {
  return (
    <div className={styles.form} role="status">
      <span className="visually-hidden">Loading settings...</span>
      <SettingsSection title="Tenant" text="Shown to all users of this tenant.">
        <div className={styles.blank} />
      </SettingsSection>
      <SettingsSection title="Days and months" text="">
        <div className={styles.blank} />
      </SettingsSection>
    </div>
  );
}
