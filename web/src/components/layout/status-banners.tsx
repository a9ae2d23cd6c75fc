import { type Banner, systemRoutes } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { createApiClient } from '../../lib/api.ts';
import { Notice } from '../ui/notice.tsx';
import styles from './notices.module.css';

const calls = createApiClient(systemRoutes, { isSessionKept: true });

const readAgainMs = 60_000;

const kinds: Record<Banner['severity'], 'bad' | 'warn' | 'ok'> = {
  error: 'bad',
  warning: 'warn',
  info: 'ok',
};

/** Installation-wide notices, shown to signed-in users on every page. */
export function StatusBanners() {
  const { data } = useQuery({
    queryKey: ['status'],
    queryFn: ({ signal }) => calls.getStatus(undefined, { signal }),
    refetchInterval: readAgainMs,
  });
  return (
    <div role="status" className={styles.notices}>
      {data?.banners.map(({ id, severity, message }) => (
        <Notice key={id} kind={kinds[severity]} title={message} />
      ))}
    </div>
  );
}
