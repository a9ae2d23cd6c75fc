import { Button } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { VisitorPage } from '#components/layout/visitor-page.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { FullPageSpinner } from '#components/ui/skeleton.tsx';
import { SignupScreen } from '#features/signup/screen.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { signupSetupQuery } from '#lib/signup-setup.ts';
import styles from './signup.module.css';

export function SignupPage() {
  const { plan } = useSearch({ from: '/signup' });
  const setup = useQuery(signupSetupQuery);
  useDocumentTitle('Sign up · Sluice');
  const failure = describeFailure(setup, 'Failed to load the signup');
  if (failure)
    return (
      <VisitorPage title="Sign up" subtitle="The signup settings could not be loaded.">
        <Failure {...failure} />
      </VisitorPage>
    );
  if (!setup.data) return <FullPageSpinner text="Loading..." />;
  if (!setup.data.is_open) return <ClosedSignup />;
  return <SignupScreen planId={plan} trialDays={setup.data.trial_days} />;
}

function ClosedSignup() {
  return (
    <VisitorPage title="Signup is closed" subtitle="Accounts are created by invitation.">
      <p>
        Ask an administrator of your organization to invite you, or ask the operator of this gateway to create
        an organization for you.
      </p>
      <Button component={Link} to="/login" className={styles.login}>
        Go to Login
      </Button>
    </VisitorPage>
  );
}
