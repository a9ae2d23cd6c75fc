import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { Failure } from '../../components/ui/failure.tsx';
import { PageHeader } from '../../components/ui/page-header.tsx';
import { logsQuery } from '../../features/logs/logs-queries.ts';
import { LogsTable } from '../../features/logs/logs-table.tsx';
import { formatClock } from '../../lib/format-time.ts';
import { messageOf } from '../../lib/message-of.ts';
import styles from './logs.module.css';

export function LogsPage() {
  const { data: logs, error, dataUpdatedAt, refetch } = useQuery(logsQuery);
  return (
    <>
      <PageHeader
        title="System Logs"
        subtitle="Monitor API requests, responses, and system activity"
        actions={
          <>
            {logs && (
              <span className={`num ${styles.refreshed}`}>
                refreshes every 10 s · {formatClock(dataUpdatedAt)}
              </span>
            )}
            <Button
              variant="default"
              leftSection={<RefreshCw size={14} strokeWidth={1.5} aria-hidden />}
              onClick={() => refetch()}
            >
              Refresh
            </Button>
          </>
        }
      />
      {error && (
        <Failure message={`Error loading logs: ${messageOf(error)}`} error={error} onRetry={refetch} />
      )}
      {(logs || !error) && <LogsTable logs={logs} />}
    </>
  );
}
