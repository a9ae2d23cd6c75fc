import { useQuery } from '@tanstack/react-query';
import { ShellSkeleton } from '../components/layout/shell-skeleton.tsx';
import { FullPageSpinner } from '../components/ui/skeleton.tsx';
import { currentUserQuery } from '../lib/session.ts';

/** Placeholder during the session check: a spinner, then the console's layout. */
export function SignedInPending() {
  const { data: user } = useQuery({ ...currentUserQuery, enabled: false });
  return user ? <ShellSkeleton /> : <FullPageSpinner />;
}
