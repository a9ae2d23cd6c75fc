import { useRouteContext } from '@tanstack/react-router';
import { lazy } from 'react';
import { LlmProvidersScreen } from '../../features/llm-providers/screen.tsx';
import { loadPart } from '../../lib/load-part.ts';

const ProviderRegistryList = lazy(
  loadPart(async () => ({
    default: (await import('../../features/provider-registry/list.tsx')).ProviderRegistryList,
  })),
);

export function LlmProvidersPage() {
  const viewer = useRouteContext({ from: '/signed-in/admin/llm-providers', select: ({ user }) => user });
  return <LlmProvidersScreen viewer={viewer} registry={(state) => <ProviderRegistryList state={state} />} />;
}
