import { useRouteContext } from '@tanstack/react-router';
import { UsageScreen } from '#features/usage/screen.tsx';

export function UsagePage() {
  const timeZone = useRouteContext({
    from: '/signed-in/dashboard/usage',
    select: ({ user }) => user.tenant.time_zone,
  });
  return <UsageScreen timeZone={timeZone} />;
}
