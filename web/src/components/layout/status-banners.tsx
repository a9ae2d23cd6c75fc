import type { Banner } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { type StatusKind, StatusMark } from '../ui/status-mark.tsx';
import styles from './status-banners.module.css';

const readAgainMs = 60_000;

const kinds: Record<Banner['severity'], StatusKind> = { error: 'bad', warning: 'warn', info: 'ok' };

/** What the installation has to tell whoever is signed in, on every page until it is over. */
export function StatusBanners() {
  const { data } = useQuery({
    queryKey: ['status'],
    queryFn: ({ signal }) => api.system.getStatus(undefined, { signal }),
    refetchInterval: readAgainMs,
  });
  return (
    <div role="status">
      {data?.banners.map(({ id, severity, message }) => (
        <div key={id} className={`${styles.banner} ${styles[severity]}`}>
          <StatusMark kind={kinds[severity]}>{message}</StatusMark>
        </div>
      ))}
    </div>
  );
}
