import { Button } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { ApiError } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { VisitorPage } from '#components/layout/visitor-page.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { FullPageSpinner } from '#components/ui/skeleton.tsx';
import { ConfirmSignupForm } from '#features/signup/confirm-form.tsx';
import { signupConfirmationQuery } from '#features/signup/queries.ts';
import { describeFailure } from '#lib/describe-failure.ts';
import { signInInput, useKeptInput } from '#lib/kept-input.ts';
import styles from './signup.module.css';

export function ConfirmSignupPage() {
  const { token } = useParams({ from: '/signup/confirm/$token' });
  const answer = useQuery(signupConfirmationQuery(token));
  const navigate = useNavigate();
  const [, keepSignIn] = useKeptInput(...signInInput);
  useDocumentTitle('Confirm your email · Sluice');
  const failure = describeFailure(answer, 'The link could not be checked');
  if (failure?.error instanceof ApiError && failure.error.status === 404) return <InvalidLink />;
  if (failure) {
    return (
      <VisitorPage title="Confirm your email" subtitle="The link could not be checked.">
        <Failure {...failure} />
      </VisitorPage>
    );
  }
  if (!answer.data) return <FullPageSpinner text="Checking the link..." />;
  const { email, company_name } = answer.data;
  return (
    <VisitorPage
      title="Confirm your email"
      subtitle={`Enter the password that you chose for ${company_name} to activate the account of ${email}.`}
    >
      <ConfirmSignupForm
        token={token}
        email={email}
        onConfirmed={() => {
          keepSignIn({ email });
          void navigate({ to: '/login', search: { signup: 'success' } });
        }}
      />
      <p className="quiet">Did not sign up? Close this page: no account is created.</p>
    </VisitorPage>
  );
}

function InvalidLink() {
  return (
    <VisitorPage
      title="This link is no longer valid"
      subtitle="Each link works once and expires after 24 hours. A newer link replaces it. If you have already confirmed your email, log in."
    >
      <div className={styles.ways}>
        <Button component={Link} to="/login">
          Go to Login
        </Button>
        <Button component={Link} to="/signup" variant="default">
          Sign up again
        </Button>
      </div>
    </VisitorPage>
  );
}
