import { Button } from '@mantine/core';
import type { CurrentUser } from '@sluice/contract';
import { actForTenant, readActingTenant } from '../../lib/acting-tenant.ts';
import { StatusMark } from '../ui/status-mark.tsx';
import styles from './connection-notice.module.css';

/** Says on every page that a super administrator acts for a tenant, and is the way back. */
export function ActingNotice({ user }: { user: CurrentUser }) {
  if (readActingTenant() === null) return null;
  return (
    <div className={styles.notice}>
      <StatusMark kind="warn">You act for {user.tenant.name}.</StatusMark>
      <Button variant="default" onClick={() => actForTenant(null)}>
        Back to your own tenant
      </Button>
    </div>
  );
}
