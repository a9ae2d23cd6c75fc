import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { passwordResetSettingsQuery } from './queries.ts';

/** Help for users who cannot sign in: a reset mail, or contacting an administrator without a mail server. */
export function ForgottenPassword() {
  const { data } = useQuery(passwordResetSettingsQuery);
  if (data?.has_mail_server) return <Link to="/reset-password">Forgot your password?</Link>;
  return 'Forgot your password? Ask your administrator.';
}
