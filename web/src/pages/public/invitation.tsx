import { Button } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { ApiError } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { VisitorPage } from '#components/layout/visitor-page.tsx';
import { Failure, Notice } from '#components/ui/notice.tsx';
import { FullPageSpinner } from '#components/ui/skeleton.tsx';
import { showSuccess } from '#components/ui/toasts.tsx';
import { AcceptInvitationForm, InvitationFacts } from '#features/invitations/accept-form.tsx';
import { invitationDetailsQuery } from '#features/invitations/queries.ts';
import { describeFailure } from '#lib/describe-failure.ts';
import { currentUserQuery } from '#lib/session.ts';
import { leaveSession } from '#lib/token.ts';
import styles from './invitation.module.css';

export function InvitationPage() {
  const { token } = useParams({ from: '/invitation/$token' });
  const answer = useQuery(invitationDetailsQuery(token));
  const { data: user } = useQuery(currentUserQuery);
  const navigate = useNavigate();
  useDocumentTitle('Invitation · Sluice');
  const failure = describeFailure(answer, 'Failed to load invitation details');
  if (failure) return <InvalidInvitation failure={failure} />;
  if (!answer.data) return <FullPageSpinner text="Loading invitation details..." />;

  const { company_name, inviter_name, email } = answer.data;
  const finish = () => {
    showSuccess('Account created successfully! You can now log in with your credentials.');
    void navigate({ to: '/login' });
  };
  return (
    <VisitorPage title={`Join ${company_name}`} subtitle={`${inviter_name} invited you to join Sluice.`}>
      {user && (
        <div className={styles.signedIn}>
          <Notice
            kind="warn"
            title={`You are signed in as ${user.email}. This invitation creates another account.`}
            action={
              <Button variant="default" onClick={leaveSession}>
                Logout
              </Button>
            }
          />
        </div>
      )}
      <InvitationFacts details={answer.data} />
      <AcceptInvitationForm token={token} email={email} onAccepted={finish} />
      <p className={`quiet ${styles.terms}`}>
        By creating an account you agree to the terms under which {company_name} runs this gateway.
      </p>
      <p className={`quiet ${styles.terms}`}>
        Already have an account? <Link to="/login">Sign in</Link>
      </p>
    </VisitorPage>
  );
}

type Failed = NonNullable<ReturnType<typeof describeFailure>>;

function InvalidInvitation({ failure }: { failure: Failed }) {
  const isRefused = failure.error instanceof ApiError && failure.error.status === 404;
  return (
    <VisitorPage title="Invalid Invitation" subtitle="The invitation link may have expired or is invalid.">
      {isRefused ? (
        <p className={`quiet ${styles.advice}`}>
          Each link works once and expires after 7 days. A newer link replaces it. Ask the person who invited
          you to send it again.
        </p>
      ) : (
        <Failure {...failure} />
      )}
      <Button component={Link} to="/login" variant={isRefused ? 'filled' : 'default'}>
        Go to Login
      </Button>
    </VisitorPage>
  );
}
