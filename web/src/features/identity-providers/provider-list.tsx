import type { IdentityProvider } from '@sluice/contract';
import { Badge } from '#components/ui/badge.tsx';
import { useConfirm } from '#components/ui/confirm.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { PanelList } from '#components/ui/panel-list.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { messageOf } from '#lib/describe-failure.ts';
import { useDeleteProvider, useStartTest } from './queries.ts';
import { Row, RowButton } from './section.tsx';

interface ProviderListProps {
  providers: readonly IdentityProvider[];
  onEdit: (provider: IdentityProvider) => void;
}

export function ProviderList({ providers, onEdit }: ProviderListProps) {
  if (providers.length === 0) {
    return (
      <EmptyState title="No identity provider yet">
        Register Sluice with Entra ID, Google, Okta, Keycloak, Authentik or another provider, then add the
        provider here.
      </EmptyState>
    );
  }
  return (
    <PanelList label="Identity providers" items={providers} noun="identity providers">
      {(provider) => <ProviderRow key={provider.id} provider={provider} onEdit={onEdit} />}
    </PanelList>
  );
}

interface ProviderRowProps extends Pick<ProviderListProps, 'onEdit'> {
  provider: IdentityProvider;
}

function ProviderRow({ provider, onEdit }: ProviderRowProps) {
  const { name, issuer, is_shared: isShared, is_enabled: isEnabled } = provider;
  const test = useStartTest();
  const remove = useRemove();
  const onError = (error: Error) => showError(messageOf(error, 'The test could not be started'));
  return (
    <Row
      title={
        <>
          {name}
          {isShared && <Badge>All organizations</Badge>}
        </>
      }
      detail={issuer}
      status={<StatusMark kind={isEnabled ? 'ok' : 'off'}>{isEnabled ? 'Enabled' : 'Disabled'}</StatusMark>}
    >
      <RowButton
        verb="Test"
        noun={name}
        isBusy={test.isPending}
        onClick={() => test.mutate(provider, { onError })}
      />
      <RowButton verb="Edit" noun={name} onClick={() => onEdit(provider)} />
      <RowButton verb="Delete" noun={name} onClick={() => void remove(provider)} />
    </Row>
  );
}

function useRemove() {
  const confirm = useConfirm();
  const { mutate } = useDeleteProvider();
  return async ({ id, name }: IdentityProvider) => {
    const isAgreed = await confirm({
      title: `Delete ${name}?`,
      message:
        'Users can no longer sign in with it, and sessions that started with it end. Their accounts remain.',
      confirmLabel: 'Delete',
      isDanger: true,
    });
    if (!isAgreed) return;
    mutate(id, {
      onSuccess: () => showSuccess('Identity provider deleted'),
      onError: (error) => showError(messageOf(error, 'The identity provider could not be deleted')),
    });
  };
}
