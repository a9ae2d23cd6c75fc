import { Button } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { VisitorPage } from '#components/layout/visitor-page.tsx';
import { SecondFactorPanel } from '#features/second-factor/index.ts';
import { secondFactorQuery } from '#features/second-factor/queries.ts';
import { currentUserQuery, useLogout } from '#lib/session.ts';
import styles from './second-factor.module.css';

/** Until the setup is complete, all other pages and API routes reject the session. */
export function SecondFactorPage() {
  const queryClient = useQueryClient();
  const router = useRouter();
  const logout = useLogout();
  const { data: factor } = useQuery(secondFactorQuery);
  useDocumentTitle('Set up a second factor · Sluice');
  const proceed = useMutation({
    mutationFn: async () => {
      await queryClient.invalidateQueries(currentUserQuery);
      await queryClient.fetchQuery({ ...currentUserQuery, staleTime: 0 });
      await router.invalidate();
    },
  });
  return (
    <VisitorPage title="Set up a second factor" subtitle="Add an authenticator app or a passkey.">
      <div className={styles.content}>
        <SecondFactorPanel />
        {factor?.is_on && (
          <Button size="md" fullWidth loading={proceed.isPending} onClick={() => proceed.mutate()}>
            Continue to Sluice
          </Button>
        )}
        <Button variant="default" onClick={() => void logout()}>
          Logout
        </Button>
      </div>
    </VisitorPage>
  );
}
