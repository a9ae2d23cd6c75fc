import type { DeviationPolicy } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure } from '../../components/ui/failure.tsx';
import { PageHeader } from '../../components/ui/page-header.tsx';
import { messageOf } from '../../lib/message-of.ts';
import { SettingsForm } from './form.tsx';
import { PolicySection } from './policy-section.tsx';
import { settingsQuery } from './queries.ts';
import { SettingsSkeleton } from './skeleton.tsx';

interface SettingsScreenProps {
  /** The form of another noun, which the page puts in. */
  policyForm: (saved: DeviationPolicy, save: (policy: DeviationPolicy) => Promise<unknown>) => ReactNode;
}

export function SettingsScreen({ policyForm }: SettingsScreenProps) {
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
      {settings && <PolicySection form={(save) => policyForm(settings.deviation_policy, save)} />}
    </>
  );
}
