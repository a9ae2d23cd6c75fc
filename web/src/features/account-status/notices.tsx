import { useQuery } from '@tanstack/react-query';
import { Notice } from '../../components/ui/notice.tsx';
import { quotaStatusQuery } from '../../lib/quota-status.ts';
import { AppealForm } from './appeal-form.tsx';
import { AppealNotice } from './appeal-notice.tsx';
import styles from './notices.module.css';
import { ownAppealsQuery } from './queries.ts';

const newsMs = 7 * 24 * 3_600_000;

/** Notices about the account: blocked or at risk of it, the reason, and what to do. */
export function AccountStatus() {
  const { data: status } = useQuery(quotaStatusQuery);
  const blockedAt = status?.blocked_at;
  const { data: appeals } = useQuery(ownAppealsQuery(blockedAt));
  if (!status) return null;
  const { blocked_status: blockedText, high_deviation_score: highText } = status.warnings;
  const [latest] = appeals ?? [];
  if (blockedText === null) {
    const isNews = latest?.decided_at && Date.now() - Date.parse(latest.decided_at) < newsMs;
    return (
      <div className={styles.notices} role="status">
        {highText !== null && <Notice kind="warn" title={highText} />}
        {isNews && latest.status === 'granted' && <AppealNotice appeal={latest} />}
      </div>
    );
  }
  const own = latest && blockedAt && latest.created_at > blockedAt ? latest : undefined;
  return (
    <section className={styles.notices} aria-label="Account status">
      <div role="status">
        <Notice kind="bad" title={blockedText}>
          {status.blocked_reason && `Reason: ${status.blocked_reason}`}
        </Notice>
      </div>
      {own && <AppealNotice appeal={own} />}
      {appeals && !own && <AppealForm />}
    </section>
  );
}
