import { Button } from '@mantine/core';
import type { IdentityProviderTest } from '@sluice/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog, DialogFooter } from '#components/ui/dialog.tsx';
import { Fact, FactList } from '#components/ui/fact-list.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { type FinishedTest, teamsQuery, testResultKey } from './queries.ts';
import styles from './section.module.css';

/** Shown once after the provider redirects back. */
export function TestResultDialog() {
  const queryClient = useQueryClient();
  const [finished] = useState(() => queryClient.getQueryData<FinishedTest>(testResultKey));
  const [isOpen, setOpen] = useState(finished !== undefined);
  if (!finished) return null;
  const close = () => {
    queryClient.removeQueries({ queryKey: testResultKey });
    setOpen(false);
  };
  return (
    <Dialog isOpen={isOpen} onClose={close} title={`Test result for ${finished.providerName}`} size="lg">
      <TestResult result={finished.result} />
      <DialogFooter>
        <Button onClick={close}>Close</Button>
      </DialogFooter>
    </Dialog>
  );
}

function TestResult({ result }: { result: IdentityProviderTest }) {
  const { data: teams = [] } = useQuery(teamsQuery);
  const names = result.team_ids.map((id) => teams.find((team) => team.id === id)?.name ?? `Team ${id}`);
  return (
    <div className={styles.rules}>
      <Notice
        kind={result.is_accepted ? 'ok' : 'warn'}
        title={result.is_accepted ? 'This user could sign in' : 'This user could not sign in'}
      >
        {result.outcome} The test changed nothing.
      </Notice>
      <FactList>
        <Fact name="Email">
          {result.email ?? 'None'} ({result.is_email_verified ? 'verified' : 'not verified'})
        </Fact>
        <Fact name="Groups">{listOr(result.groups, 'None found at the group claim')}</Fact>
        <Fact name="Role">{describeRole(result.role)}</Fact>
        <Fact name="Teams">{listOr(names, 'None')}</Fact>
      </FactList>
      <div>
        <h3>Claims</h3>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
        <pre className={styles.claims} tabIndex={0}>
          {JSON.stringify(result.claims, null, 2)}
        </pre>
      </div>
    </div>
  );
}

const listOr = (texts: readonly string[], none: string) => (texts.length === 0 ? none : texts.join(', '));

function describeRole(role: IdentityProviderTest['role']): string {
  if (role === null) return 'None: the user may not sign in';
  return role === 'admin' ? 'Administrator' : 'User';
}
