import type { DeviationPolicy } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure } from '../../components/ui/failure.tsx';
import { PageHeader } from '../../components/ui/page-header.tsx';
import { describeFailure } from '../../lib/describe-failure.ts';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { PolicySection } from './policy-section.tsx';
import { settingsQuery } from './queries.ts';
import { SettingsSkeleton } from './skeleton.tsx';

/** Loaded separately because of its many fields. */
const SettingsForm = lazyPart(() => import('./form.tsx'), 'SettingsForm', <SettingsSkeleton />);

interface SettingsScreenProps {
  /** Policy form, passed in by the page because it belongs to another feature. */
  policyForm: (saved: DeviationPolicy, save: (policy: DeviationPolicy) => Promise<unknown>) => ReactNode;
}

export function SettingsScreen({ policyForm }: SettingsScreenProps) {
  const answer = useQuery(settingsQuery);
  const { data: settings } = answer;
  const failure = describeFailure(answer, 'Unknown error', 'Error loading settings');
  return (
    <>
      <PageHeader title="Settings" subtitle="Settings for everybody in this tenant" />
      {failure && <Failure {...failure} />}
      {settings ? <SettingsForm saved={settings} /> : !failure && <SettingsSkeleton />}
      {settings && <PolicySection form={(save) => policyForm(settings.deviation_policy, save)} />}
    </>
  );
}
