import { useDocumentTitle } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { VisitorPage } from '#components/layout/visitor-page.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { passwordResetSettingsQuery } from '#features/password-resets/queries.ts';
import { RequestPasswordResetForm } from '#features/password-resets/request-form.tsx';
import styles from './login.module.css';

export function RequestPasswordResetPage() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { data: settings } = useQuery(passwordResetSettingsQuery);
  const sendsNoMail = settings?.has_mail_server === false;
  useDocumentTitle('Forgotten password · Sluice');
  return (
    <VisitorPage
      title="Reset your password"
      subtitle={
        sendsNoMail
          ? 'This installation sends no email. Ask your administrator for a new password.'
          : 'We send you a link that works once and expires after 30 minutes.'
      }
    >
      {sendsNoMail ? null : sentTo === null ? (
        <RequestPasswordResetForm onSent={setSentTo} />
      ) : (
        <div role="status">
          <Notice kind="ok" title={`If ${sentTo} has an account here, an email is on its way.`}>
            It arrives within a minute. Check your spam folder too. You can request another link after two
            minutes.
          </Notice>
        </div>
      )}
      <p className={`quiet ${styles.forgotten}`}>
        <Link to="/login">Back to sign-in</Link>
      </p>
    </VisitorPage>
  );
}
