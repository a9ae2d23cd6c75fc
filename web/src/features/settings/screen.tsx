import type { DeviationPolicy } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Failure } from '#components/ui/notice.tsx';
import { PageHeader } from '#components/ui/page-header.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { PolicyForm } from '#features/governance/index.ts';
import { describeFailure } from '#lib/describe-failure.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import styles from './form.module.css';
import { settingsQuery, useSaveSettings } from './queries.ts';
import { SettingsSection } from './section.tsx';

/** Loaded separately because of its many fields. */
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
      {settings && <PolicySection saved={settings.deviation_policy} />}
    </>
  );
}

/** Placeholder while the form's values load. */
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

function PolicySection({ saved }: { saved: DeviationPolicy }) {
  const { mutateAsync: save } = useSaveSettings();
  return (
    <section className={`${styles.section} ${styles.form}`} aria-labelledby="deviation-policy">
      <div>
        <h2 id="deviation-policy">Deviation policy</h2>
        <p className={styles.text}>
          Each request moves its user’s score between 0 (on task) and 1. The score halves every seven days.
          Each change is explained on the request.
        </p>
      </div>
      <div className={styles.fields}>
        <PolicyForm
          saved={saved}
          onSave={(policy) => save({ deviation_policy: policy })}
          fallback={<SkeletonLines count={6} />}
        />
      </div>
    </section>
  );
}
