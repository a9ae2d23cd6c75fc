import { Button } from '@mantine/core';
import type { IdentityProvider } from '@sluice/contract';
import { Badge } from '#components/ui/badge.tsx';
import { useConfirm } from '#components/ui/confirm.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { PanelList } from '#components/ui/panel-list.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { messageOf } from '#lib/describe-failure.ts';
import { useDeleteProvider, useStartTest } from './queries.ts';
import { Row } from './section.tsx';

interface ProviderListProps {
  providers: readonly IdentityProvider[];
  onEdit: (provider: IdentityProvider) => void;
}

export function ProviderList({ providers, onEdit }: ProviderListProps) {
  const test = useStartTest();
  const remove = useRemove();
  if (providers.length === 0) {
    return (
      <EmptyState title="No identity provider yet">
        Register Sluice at Entra ID, Google, Okta, Keycloak, Authentik or another provider, and add it here.
      </EmptyState>
    );
  }
  return (
    <PanelList label="Identity providers" items={providers} noun="identity providers">
      {(provider) => (
        <Row
          key={provider.id}
          title={
            <>
              {provider.name}
              {provider.is_shared && <Badge>All organizations</Badge>}
            </>
          }
          detail={provider.issuer}
          status={
            <StatusMark kind={provider.is_enabled ? 'ok' : 'off'}>
              {provider.is_enabled ? 'Enabled' : 'Disabled'}
            </StatusMark>
          }
        >
          <Button
            variant="default"
            size="compact-sm"
            loading={test.isPending && test.variables.id === provider.id}
            aria-label={`Test ${provider.name}`}
            onClick={() =>
              test.mutate(provider, {
                onError: (error) => showError(messageOf(error, 'The test could not be started')),
              })
            }
          >
            Test
          </Button>
          <Button
            variant="default"
            size="compact-sm"
            aria-label={`Edit ${provider.name}`}
            onClick={() => onEdit(provider)}
          >
            Edit
          </Button>
          <Button
            variant="default"
            size="compact-sm"
            aria-label={`Delete ${provider.name}`}
            onClick={() => void remove(provider)}
          >
            Delete
          </Button>
        </Row>
      )}
    </PanelList>
  );
}

function useRemove() {
  const confirm = useConfirm();
  const { mutate } = useDeleteProvider();
  return async ({ id, name }: IdentityProvider) => {
    const isAgreed = await confirm({
      title: `Delete ${name}?`,
      message: 'Its users can no longer sign in with it. Their accounts and open sessions remain.',
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
