import type { Role } from '@sluice/contract';
import { Link } from '@tanstack/react-router';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { listReachedLimits, type ReachedLimit } from './choices.ts';
import styles from './limit-notice.module.css';

interface LimitNoticeProps {
  roles: readonly Role[];
  held: Pick<Role, 'id' | 'name'> | undefined;
}

/** Notice about reached role limits: usage, plan, and who can raise them. */
export function LimitNotice({ roles, held }: LimitNoticeProps) {
  return (
    <div role="status" className={styles.limits}>
      {listReachedLimits(roles, held).map(({ role, title, figures, remedy }) => (
        <div key={role}>
          <StatusMark kind="warn">{title}</StatusMark>
          <p className={styles.figures}>
            {figures} <Remedy kind={remedy} />
          </p>
        </div>
      ))}
    </div>
  );
}

function Remedy({ kind }: { kind: ReachedLimit['remedy'] }) {
  if (kind === 'ask') return 'Deactivate somebody, or ask a super administrator to raise the limit.';
  return (
    <>
      Deactivate somebody, or{' '}
      <Link to="/admin/tenant-credits">
        {kind === 'set' ? 'change the limit under Tenant Credits' : 'upgrade the plan under Tenant Credits'}
      </Link>
      .
    </>
  );
}
