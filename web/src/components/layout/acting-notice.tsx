import { Button } from '@mantine/core';
import type { CurrentUser } from '@sluice/contract';
import { actForTenant, readActingTenant } from '../../lib/acting-tenant.ts';
import { Notice } from '../ui/notice.tsx';
import styles from './notices.module.css';

/** Notice on every page while a super administrator acts for a tenant, with a button to stop. */
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
