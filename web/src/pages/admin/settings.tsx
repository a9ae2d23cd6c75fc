import { lazy, Suspense } from 'react';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import { SettingsScreen } from '../../features/settings/screen.tsx';
import { loadPart } from '../../lib/load-part.ts';

/** After the settings that most come for. */
const PolicyForm = lazy(
  loadPart(async () => ({
    default: (await import('../../features/governance/policy-form.tsx')).PolicyForm,
  })),
);

export function SettingsPage() {
  return (
    <SettingsScreen
      policyForm={(saved, save) => (
        <Suspense fallback={<SkeletonLines count={6} />}>
          <PolicyForm saved={saved} onSave={save} />
        </Suspense>
      )}
    />
  );
}
