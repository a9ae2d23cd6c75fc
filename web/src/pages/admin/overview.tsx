import { useDocumentTitle } from '@mantine/hooks';
import { useRouteContext } from '@tanstack/react-router';
import { PageHeader } from '../../components/ui/page-header.tsx';
import { CallPanel } from '../../features/overview/call-panel.tsx';
import { FirstSteps } from '../../features/overview/first-steps.tsx';
import styles from './overview.module.css';

export function OverviewPage() {
  const user = useRouteContext({ from: '/signed-in/admin', select: (context) => context.user });
  useDocumentTitle('Overview · Sluice');
  return (
    <>
      <PageHeader
        title={`Welcome, ${user.name}`}
        subtitle={`You administer the tenant ${user.tenant.name}.`}
      />
      <div className={styles.columns}>
        <FirstSteps user={user} />
        <CallPanel />
      </div>
    </>
  );
}
