import { Button } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { ApiError } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { VisitorPage } from '#components/layout/visitor-page.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { FullPageSpinner } from '#components/ui/skeleton.tsx';
import { showSuccess } from '#components/ui/toasts.tsx';
import { passwordResetQuery } from '#features/password-resets/queries.ts';
import { ResetPasswordForm } from '#features/password-resets/request-form.tsx';
import { describeFailure } from '#lib/describe-failure.ts';

export function ResetPasswordPage() {
  const { token } = useParams({ from: '/reset-password/$token' });
  const answer = useQuery(passwordResetQuery(token));
  const navigate = useNavigate();
  useDocumentTitle('New password · Sluice');
  const failure = describeFailure(answer, 'The link could not be checked');
  if (failure?.error instanceof ApiError && failure.error.status === 404) return <WorthlessLink />;
  if (failure) {
    return (
      <VisitorPage title="Choose a new password" subtitle="The link could not be checked.">
        <Failure {...failure} />
      </VisitorPage>
    );
  }
  if (!answer.data) return <FullPageSpinner text="Checking the link..." />;
  const finish = () => {
    showSuccess('Your password has been changed. Sign in with your new password.');
    void navigate({ to: '/login' });
  };
  return (
    <VisitorPage
      title="Choose a new password"
      subtitle={`For ${answer.data.email}. You will be signed out everywhere.`}
    >
      <ResetPasswordForm token={token} email={answer.data.email} onReset={finish} />
    </VisitorPage>
  );
}

function WorthlessLink() {
  return (
    <VisitorPage
      title="This link is no longer valid"
      subtitle="Each link works once and expires after 30 minutes. A newer link replaces it."
    >
      <Button component={Link} to="/reset-password">
        Send a new link
      </Button>
    </VisitorPage>
  );
}
