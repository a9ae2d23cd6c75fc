import { useQuery } from '@tanstack/react-query';
import { ShellSkeleton } from '../components/layout/shell-skeleton.tsx';
import { FullPageSpinner } from '../components/ui/skeleton.tsx';
import { currentUserQuery } from '../lib/session.ts';

export function SignedInPending() {
  const { data: user } = useQuery({ ...currentUserQuery, enabled: false });
  return user ? <ShellSkeleton /> : <FullPageSpinner />;
}
