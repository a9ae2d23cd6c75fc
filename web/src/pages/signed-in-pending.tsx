import { useQuery } from '@tanstack/react-query';
import { ShellSkeleton } from '../components/layout/shell-skeleton.tsx';
import { FullPageSpinner } from '../components/ui/full-page-spinner.tsx';
import { currentUserQuery } from '../lib/session.ts';

/** A spinner until it is known who is there, then the console's frame. */
export function SignedInPending() {
  const { data: user } = useQuery({ ...currentUserQuery, enabled: false });
  return user ? <ShellSkeleton /> : <FullPageSpinner />;
}
