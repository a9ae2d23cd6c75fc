import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { SettingsScreen } from '#features/settings/screen.tsx';
import { lazyPart } from '#lib/lazy-part.tsx';

/** Loaded after the other settings, which are needed more often. */
const PolicyForm = lazyPart(
  () => import('#features/governance/policy-form.tsx'),
  'PolicyForm',
  <SkeletonLines count={6} />,
);

export function SettingsPage() {
  return <SettingsScreen policyForm={(saved, save) => <PolicyForm saved={saved} onSave={save} />} />;
}
