import { Button } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { FullPageSpinner } from '../../components/ui/full-page-spinner.tsx';
import { Mark } from '../../components/ui/mark.tsx';
import { showSuccess } from '../../components/ui/toasts.tsx';
import { AcceptInvitationForm } from '../../features/invitations/accept-invitation-form.tsx';
import { InvitationFacts } from '../../features/invitations/invitation-facts.tsx';
import { invitationDetailsQuery } from '../../features/invitations/invitations-queries.ts';
import { messageOf } from '../../lib/message-of.ts';
import messageStyles from '../message-page.module.css';
import styles from './invitation.module.css';

export function InvitationPage() {
  const { token } = useParams({ from: '/invitation/$token' });
  const { data: details, error } = useQuery(invitationDetailsQuery(token));
  const navigate = useNavigate();
  useDocumentTitle('Invitation · Sluice');
  if (error) return <InvalidInvitation reason={messageOf(error, 'Failed to load invitation details')} />;
  if (!details) return <FullPageSpinner text="Loading invitation details..." />;

  const finish = () => {
    showSuccess('Account created successfully! You can now log in with your credentials.');
    void navigate({ to: '/login' });
  };
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <Link to="/" className={styles.home}>
          <Mark />
        </Link>
      </header>
      <main className={styles.main}>
        <h1>Join {details.company_name}</h1>
        <p className={styles.subtitle}>{details.inviter_name} invites you to Sluice.</p>
        <InvitationFacts details={details} />
        <AcceptInvitationForm token={token} email={details.email} onAccepted={finish} />
        <p className={styles.terms}>
          By creating an account you agree to the terms under which {details.company_name} runs this gateway.
        </p>
        <p className={styles.terms}>
          Already have an account? <Link to="/login">Log in</Link>
        </p>
      </main>
    </div>
  );
}

function InvalidInvitation({ reason }: { reason: string }) {
  return (
    <main className={messageStyles.page}>
      <h1>Invalid Invitation</h1>
      <p className={messageStyles.text}>The invitation link may have expired or is invalid.</p>
      <p className={styles.reason}>{reason}</p>
      <Button component={Link} to="/login">
        Go to Login
      </Button>
    </main>
  );
}
