import { useRouteContext } from '@tanstack/react-router';
import { OwnApiKeyScreen } from '#features/own-api-key/screen.tsx';

export function OwnApiKeyPage() {
  const user = useRouteContext({ from: '/signed-in', select: (context) => context.user });
  return <OwnApiKeyScreen user={user} />;
}
