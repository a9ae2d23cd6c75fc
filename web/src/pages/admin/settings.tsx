import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Failure } from '../../components/ui/failure.tsx';
import { PageHeader } from '../../components/ui/page-header.tsx';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import { SettingsForm } from '../../features/settings/form.tsx';
import { PolicySection } from '../../features/settings/policy-section.tsx';
import { settingsQuery } from '../../features/settings/queries.ts';
import { SettingsSkeleton } from '../../features/settings/skeleton.tsx';
import { loadPart } from '../../lib/load-part.ts';
import { messageOf } from '../../lib/message-of.ts';

/** After the settings that most come for. */
const PolicyForm = lazy(
  loadPart(async () => ({
    default: (await import('../../features/governance/policy-form.tsx')).PolicyForm,
  })),
);

export function SettingsPage() {
  const { data: settings, error, refetch } = useQuery(settingsQuery);
  return (
    <>
      <PageHeader title="Settings" subtitle="Settings for everybody in this tenant" />
      {error && (
        <Failure
          message={`Error loading settings: ${messageOf(error, 'Unknown error')}`}
          error={error}
          onRetry={refetch}
        />
      )}
      {settings ? <SettingsForm saved={settings} /> : !error && <SettingsSkeleton />}
      {settings && (
        <PolicySection
          form={(save) => (
            <Suspense fallback={<SkeletonLines count={6} />}>
              <PolicyForm saved={settings.deviation_policy} onSave={save} />
            </Suspense>
          )}
        />
      )}
    </>
  );
}
