import { Button } from '@mantine/core';
import type { CurrentUser } from '@sluice/contract';
import { actForTenant, readActingTenant } from '../../lib/acting-tenant.ts';
import { Notice } from '../ui/notice.tsx';
import styles from './notices.module.css';

/** Says on every page that a super administrator acts for a tenant, and is the way back. */
export function ActingNotice({ user }: { user: CurrentUser }) {
  if (readActingTenant() === null) return null;
  return (
    <div className={styles.notices}>
      <Notice
        kind="warn"
        title={`You act for ${user.tenant.name}.`}
        action={
          <Button variant="default" onClick={() => actForTenant(null)}>
            Back to your own tenant
          </Button>
        }
      />
    </div>
  );
}
