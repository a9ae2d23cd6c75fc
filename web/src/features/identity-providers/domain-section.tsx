import { Button } from '@mantine/core';
import { type Domain, domainsRoutes } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { TextField } from '#components/forms/text-field.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { useConfirm } from '#components/ui/confirm.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { PanelList } from '#components/ui/panel-list.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { describeFailure, messageOf } from '#lib/describe-failure.ts';
import { currentUserQuery } from '#lib/session.ts';
import { domainsQuery, useAddDomain, useConfirmDomain, useRemoveDomain } from './queries.ts';
import styles from './section.module.css';
import { Row, Section } from './section.tsx';

export function DomainSection() {
  const answer = useQuery(domainsQuery);
  const { data: domains } = answer;
  const failure = describeFailure(answer, 'Unknown error', 'Error loading domains');
  return (
    <Section
      title="Email domains"
      text="Users with a verified email of these domains get an account, or are linked to their existing account. A domain takes effect once a super administrator confirms that your organization owns it."
    >
      {failure && <Failure {...failure} />}
      {!domains && !failure && <SkeletonLines count={2} />}
      {domains && domains.length > 0 && (
        <PanelList label="Email domains" items={domains} noun="domains">
          {(domain) => <DomainRow key={domain.id} domain={domain} />}
        </PanelList>
      )}
      <AddDomain />
    </Section>
  );
}

function DomainRow({ domain: { id, domain: name, confirmed_at: confirmedAt } }: { domain: Domain }) {
  const { data: user } = useQuery(currentUserQuery);
  const mayConfirm = user?.role.permissions.includes('super_admin') ?? false;
  const confirmDomain = useConfirmDomain();
  const removeDomain = useRemoveDomain();
  const confirm = useConfirm();
  const onError = (error: Error) => showError(messageOf(error, 'The domain could not be changed'));
  const remove = async () => {
    const message = 'Linked users can still sign in. No new users of this domain are added or linked.';
    if (await confirm({ title: `Remove ${name}?`, message, confirmLabel: 'Remove', isDanger: true }))
      removeDomain.mutate(id, { onError });
  };
  return (
    <Row
      title={name}
      detail={confirmedAt === null && !mayConfirm ? 'Ask a super administrator to confirm it.' : ''}
      status={
        <StatusMark kind={confirmedAt === null ? 'pending' : 'ok'}>
          {confirmedAt === null ? 'Not confirmed' : 'Confirmed'}
        </StatusMark>
      }
    >
      {confirmedAt === null && mayConfirm && (
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`Confirm ${name}`}
          onClick={() => confirmDomain.mutate(id, { onError })}
        >
          Confirm
        </Button>
      )}
      <Button variant="default" size="compact-sm" aria-label={`Remove ${name}`} onClick={() => void remove()}>
        Remove
      </Button>
    </Row>
  );
}

function AddDomain() {
  const add = useAddDomain();
  const form = useContractForm({
    schema: domainsRoutes.addDomain.request.body,
    initialValues: { domain: '' },
  });
  const submit = form.submit(async ({ domain }) => {
    await add.mutateAsync(domain);
    form.reset();
    showSuccess('Domain added');
  }, 'The domain could not be added');
  return (
    <form className={styles.addition} onSubmit={submit} noValidate>
      <TextField
        aria-label="Domain to add"
        placeholder="example.com"
        autoCapitalize="none"
        spellCheck={false}
        {...form.bind('domain')}
      />
      <Button type="submit" variant="default" aria-disabled={form.isPending}>
        Add domain
      </Button>
      <div role="alert">{form.problem !== null && <StatusMark kind="bad">{form.problem}</StatusMark>}</div>
    </form>
  );
}
