import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { passwordResetSettingsQuery } from './queries.ts';

/** What somebody can do who cannot sign in: by mail where there is a mail server, else by asking. */
export function ForgottenPassword() {
  const { data } = useQuery(passwordResetSettingsQuery);
  if (data?.has_mail_server) return <Link to="/reset-password">Forgot your password?</Link>;
  return 'Forgot your password? Ask your administrator.';
}
