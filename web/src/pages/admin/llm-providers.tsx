import { useRouteContext } from '@tanstack/react-router';
import { LlmProvidersScreen } from '#features/llm-providers/screen.tsx';

export function LlmProvidersPage() {
  const viewer = useRouteContext({ from: '/signed-in/admin/llm-providers', select: ({ user }) => user });
  return <LlmProvidersScreen viewer={viewer} />;
}
