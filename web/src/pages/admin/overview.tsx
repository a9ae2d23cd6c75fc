import { useDocumentTitle } from '@mantine/hooks';
import { useRouteContext } from '@tanstack/react-router';
import { PageHeader } from '../../components/ui/page-header.tsx';
import { FirstSteps } from '../../features/overview/first-steps.tsx';

export function OverviewPage() {
  const user = useRouteContext({ from: '/signed-in/admin', select: (context) => context.user });
  useDocumentTitle('Overview · Sluice');
  return (
    <>
      <PageHeader
        title={`Welcome, ${user.name}`}
        subtitle={`You administer the tenant ${user.tenant.name}.`}
      />
      <FirstSteps user={user} />
    </>
  );
}
