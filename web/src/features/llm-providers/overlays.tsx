import { Button } from '@mantine/core';
import type { LlmProvider } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog, DialogFooter } from '#components/ui/dialog.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import type { ProviderActions } from './actions.ts';
import { ConnectedDialog } from './connected-dialog.tsx';
import { DeleteProviderDialog } from './delete-dialog.tsx';
import { FallbackDrillResult } from './fallback-drill-result.tsx';
import { FallbackOrderDialog } from './fallback-order-dialog.tsx';
import { ProviderFormDialog } from './form-dialog.tsx';
import { MaintenanceDialog } from './maintenance-dialog.tsx';
import type { ProviderKind } from './provider-form.ts';
import { fallbackDrillQuery } from './queries.ts';
import { RotateKeyDialog } from './rotate-key-dialog.tsx';

export function ProviderOverlays({ actions }: { actions: ProviderActions }) {
  const { provider, isOperator, propsOf } = actions;
  return (
    <>
      <NewProviderDialog actions={actions} />
      <FallbackOrderDialog {...propsOf('order')} />
      {provider && (
        <>
          <ConnectedDialog {...propsOf('connected')} provider={provider} />
          <ProviderFormDialog
            {...propsOf('edit')}
            kind={provider.is_service_managed ? 'managed' : 'self'}
            isOperator={isOperator}
            provider={provider}
          />
          <MaintenanceDialog {...propsOf('maintenance')} provider={provider} />
          <FallbackDrillDialog {...propsOf('drill')} provider={provider} />
          <RotateKeyDialog {...propsOf('rotate')} provider={provider} />
          <DeleteProviderDialog {...propsOf('delete')} provider={provider} />
        </>
      )}
    </>
  );
}

/** A single form for both kinds of keys, so that the input survives a change of the kind. */
function NewProviderDialog({ actions: { isOperator, open, propsOf } }: { actions: ProviderActions }) {
  const [kind, setKind] = useState<ProviderKind>('self');
  const asked = (['self', 'managed'] as const).find((one) => propsOf(one).isOpen);
  if (asked !== undefined && asked !== kind) setKind(asked);
  return (
    <ProviderFormDialog
      {...propsOf(kind)}
      kind={kind}
      isOperator={isOperator}
      onKind={open}
      onCreated={(created) => open('connected', created)}
    />
  );
}

interface FallbackDrillDialogProps {
  provider: LlmProvider;
  isOpen: boolean;
  onClose: () => void;
}

export function FallbackDrillDialog({ provider, isOpen, onClose }: FallbackDrillDialogProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Simulated outage of ${provider.provider_instance_name}`}
      size="lg"
    >
      <FallbackDrillOf provider={provider} />
      <DialogFooter>
        <Button variant="default" onClick={onClose} data-autofocus>
          Close
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

function FallbackDrillOf({ provider: { id, provider_instance_name } }: { provider: LlmProvider }) {
  const answer = useQuery(fallbackDrillQuery(id));
  const failure = describeFailure(answer, 'Failed to simulate the last hour');
  if (failure) return <Failure {...failure} />;
  if (!answer.data) {
    return (
      <div role="status" aria-busy="true">
        <p className="quiet">Simulating the last hour...</p>
        <SkeletonLines count={6} />
      </div>
    );
  }
  return <FallbackDrillResult drill={answer.data} name={provider_instance_name} />;
}
