import { useDocumentTitle } from '@mantine/hooks';
import type { CurrentUser } from '@sluice/contract';
import { PageHeader } from '../../components/ui/page-header.tsx';
import { CallPanel } from './call-panel.tsx';
import { FirstSteps } from './first-steps.tsx';
import styles from './screen.module.css';

export function OverviewScreen({ user }: { user: CurrentUser }) {
  useDocumentTitle('Overview · Sluice');
  return (
    <>
      <PageHeader
        title={`Welcome, ${user.name}`}
        subtitle={`You administer the tenant ${user.tenant.name}.`}
      />
      <div className={styles.columns}>
        <FirstSteps />
        <CallPanel />
      </div>
    </>
  );
}
