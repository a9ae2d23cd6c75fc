import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import { SettingsScreen } from '../../features/settings/screen.tsx';
import { lazyPart } from '../../lib/lazy-part.tsx';

/** After the settings that most come for. */
const PolicyForm = lazyPart(
  () => import('../../features/governance/policy-form.tsx'),
  'PolicyForm',
  <SkeletonLines count={6} />,
);

export function SettingsPage() {
  return <SettingsScreen policyForm={(saved, save) => <PolicyForm saved={saved} onSave={save} />} />;
}
