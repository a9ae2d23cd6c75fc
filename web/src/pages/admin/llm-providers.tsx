import { useRouteContext } from '@tanstack/react-router';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { LlmProvidersScreen } from '#features/llm-providers/screen.tsx';
import { lazyPart } from '#lib/lazy-part.tsx';

const ProviderRegistryList = lazyPart(
  () => import('#features/provider-registry/list.tsx'),
  'ProviderRegistryList',
  <SkeletonLines count={6} />,
);

export function LlmProvidersPage() {
  const viewer = useRouteContext({ from: '/signed-in/admin/llm-providers', select: ({ user }) => user });
  return <LlmProvidersScreen viewer={viewer} registry={(state) => <ProviderRegistryList state={state} />} />;
}
