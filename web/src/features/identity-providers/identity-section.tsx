import type { UserIdentity } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useConfirm } from '#components/ui/confirm.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { PanelList } from '#components/ui/panel-list.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { describeFailure, messageOf } from '#lib/describe-failure.ts';
import { identitiesQuery, useConfirmIdentity, useDeleteIdentity } from './queries.ts';
import { Row, RowButton, Section } from './section.tsx';

export function IdentitySection() {
  const answer = useQuery(identitiesQuery);
  const { data: identities } = answer;
  const failure = describeFailure(answer, 'Unknown error', 'Error loading linked users');
  return (
    <Section
      title="Linked users"
      text="Sluice links a user by a verified email of a confirmed domain. Any other link waits here until an administrator confirms it: compare the subject with your directory first."
    >
      {failure && <Failure {...failure} />}
      {identities?.length === 0 && (
        <p className="quiet">No user has signed in with an identity provider yet.</p>
      )}
      {identities && identities.length > 0 && (
        <PanelList label="Linked users" items={identities} noun="linked users">
          {(identity) => <IdentityRow key={identity.id} identity={identity} />}
        </PanelList>
      )}
    </Section>
  );
}

function IdentityRow({ identity }: { identity: UserIdentity }) {
  const { user_name: name, confirmed_at: confirmedAt, email, subject } = identity;
  const { confirm, remove } = useIdentityActions(identity);
  return (
    <Row
      title={name}
      detail={
        <>
          {identity.identity_provider_name} · {email} (
          {identity.is_email_verified ? 'verified' : 'not verified'}) · <code>{subject}</code>
          <br />
          {describeRole(identity)}
        </>
      }
      status={
        <StatusMark kind={confirmedAt === null ? 'warn' : 'ok'}>
          {confirmedAt === null ? 'Waiting for confirmation' : 'Linked'}
        </StatusMark>
      }
    >
      {confirmedAt === null && <RowButton verb="Confirm" noun={name} onClick={() => void confirm()} />}
      <RowButton verb="Unlink" noun={name} onClick={() => void remove()} />
    </Row>
  );
}

function useIdentityActions({ id, user_name: name, email, subject, ...identity }: UserIdentity) {
  const confirmIdentity = useConfirmIdentity();
  const deleteIdentity = useDeleteIdentity();
  const ask = useConfirm();
  const onError = (error: Error) => showError(messageOf(error, 'The link could not be changed'));
  const confirm = async () => {
    const message = `A sign-in at ${identity.identity_provider_name} as ${subject} (${email}) then opens the account of ${name}.`;
    if (await ask({ title: `Link this identity to ${name}?`, message, confirmLabel: 'Confirm link' }))
      confirmIdentity.mutate(id, { onSuccess: () => showSuccess('Link confirmed'), onError });
  };
  const remove = async () => {
    const message = 'Sessions that started with this identity end.';
    const question = { title: `Unlink ${name}?`, message, confirmLabel: 'Unlink', isDanger: true };
    if (await ask(question)) deleteIdentity.mutate(id, { onError });
  };
  return { confirm, remove };
}

function describeRole({ is_role_mapped: isMapped, mapped_role: role }: UserIdentity): string {
  if (!isMapped) return 'Role assigned by an administrator; sign-ins do not change it';
  if (role === 'user') return 'Role user from the identity provider; it follows the groups';
  return 'Role administrator from the identity provider; it follows the groups, but break-glass accounts and the last administrator keep it';
}
