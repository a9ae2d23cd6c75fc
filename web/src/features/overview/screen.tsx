import { useDocumentTitle } from '@mantine/hooks';
import type { CurrentUser } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { PageHeader } from '../../components/ui/page-header.tsx';
import { CallPanel } from './call-panel.tsx';
import { FirstSteps } from './first-steps.tsx';
import { firstStepsQuery, listDone } from './queries.ts';
import styles from './screen.module.css';
import { Today } from './today.tsx';

export function OverviewScreen({ user }: { user: CurrentUser }) {
  useDocumentTitle('Overview · Sluice');
  const { data: steps } = useQuery(firstStepsQuery);
  const isSetUp = steps !== undefined && !listDone(steps).includes(false);
  return (
    <>
      <PageHeader
        title={`Welcome, ${user.name}`}
        subtitle={`You administer the tenant ${user.tenant.name}.`}
      />
      <div className={styles.columns}>
        {isSetUp ? <Today /> : <FirstSteps />}
        <CallPanel />
      </div>
    </>
  );
}
