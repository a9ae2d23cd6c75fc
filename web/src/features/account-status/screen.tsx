import { Button } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { CurrentUser } from '@sluice/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PageHeader } from '../../components/ui/page-header.tsx';
import { Snippet } from '../../components/ui/snippet.tsx';
import { isAdministrator } from '../../lib/home-path.ts';
import { ActiveTasks } from './active-tasks.tsx';
import { Limits } from './limits.tsx';
import { AccountStatus } from './notices.tsx';
import { RecentRequests } from './recent-requests.tsx';
import styles from './screen.module.css';
import { SetupNotices } from './setup-notices.tsx';
import { StatusCards } from './status-cards.tsx';

interface DashboardScreenProps {
  user: CurrentUser;
  /** Forecast of when the monthly quota is reached. */
  forecast: ReactNode;
}

/** Dashboard of the portal: account state, usage, tasks, and how to send requests. */
export function DashboardScreen({ user, forecast }: DashboardScreenProps) {
  useDocumentTitle('Dashboard · Sluice');
  return (
    <>
      <PageHeader title={`Welcome, ${user.name}`} subtitle={`${user.email} · ${user.tenant.name}`} />
      <AccountStatus />
      <SetupNotices needsTask={!isAdministrator(user)} />
      <div className={styles.forecast}>{forecast}</div>
      <StatusCards />
      <div className={styles.columns}>
        <ActiveTasks />
        <Limits />
        <RecentRequests />
      </div>
      <div className={styles.notes}>
        <p>
          Point any OpenAI client at the address below and use the API key that your administrator gave you.{' '}
          <Link to="/dashboard/api-keys">Copy a first call</Link>
        </p>
        <Snippet title="Base URL" text={`${window.location.origin}/api/v1`} />
        <p className="quiet">
          Each request is measured and kept in the log of {user.tenant.name}; its administrators can see it in
          the console.
        </p>
        {isAdministrator(user) && (
          <div>
            <Button component={Link} to="/admin" variant="default">
              Open the admin console
            </Button>
          </div>
        )}
      </div>
    </>
  );
}
