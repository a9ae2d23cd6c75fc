import { useRouteContext } from '@tanstack/react-router';
import { Money } from '#features/account-status/money.tsx';
import { ForecastNotice } from '#features/forecast/notice.tsx';
import { UsageScreen } from '#features/usage/screen.tsx';

export function UsagePage() {
  const timeZone = useRouteContext({
    from: '/signed-in/dashboard/usage',
    select: ({ user }) => user.tenant.time_zone,
  });
  return (
    <UsageScreen timeZone={timeZone} forecast={<ForecastNotice timeZone={timeZone} />} money={<Money />} />
  );
}
