import { Button } from '@mantine/core';
import { FocusedSection } from '../../components/ui/focused-section.tsx';
import { Notice } from '../../components/ui/notice.tsx';
import { showError, showSuccess } from '../../components/ui/toasts.tsx';
import { messageOf } from '../../lib/message-of.ts';
import { useResendConfirmation } from './confirmation-queries.ts';
import styles from './steps.module.css';

/** Step after the card if mails are sent: the account exists once the link in the mail is confirmed. */
export function ConfirmStep({ email }: { email: string }) {
  const resend = useResendConfirmation();
  const send = () =>
    resend.mutate(email, {
      onSuccess: () => showSuccess('If a signup is waiting, a new link is on its way.'),
      onError: (error) => showError(messageOf(error, 'Failed to send the mail')),
    });
  return (
    <FocusedSection label="Confirm your email">
      <Notice kind="ok" title={`We sent a mail to ${email}.`}>
        Open its link within 24 hours and enter the password that you chose. Look in the spam folder too.
      </Notice>
      <div className={styles.buttons}>
        <Button variant="default" loading={resend.isPending} onClick={send}>
          Send the mail again
        </Button>
      </div>
    </FocusedSection>
  );
}
