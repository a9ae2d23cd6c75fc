import type { ProviderActions } from './actions.ts';
import { DeleteProviderDialog } from './delete-dialog.tsx';
import { FallbackDrillDialog } from './fallback-drill-dialog.tsx';
import { FallbackOrderDialog } from './fallback-order-dialog.tsx';
import { ProviderFormDialog } from './form-dialog.tsx';
import { MaintenanceDialog } from './maintenance-dialog.tsx';
import { RotateKeyDialog } from './rotate-key-dialog.tsx';

/** Dialogs of the providers page. */
export function ProviderOverlays({ actions }: { actions: ProviderActions }) {
  const { provider, isOperator, propsOf } = actions;
  return (
    <>
      <ProviderFormDialog {...propsOf('self')} kind="self" isOperator={isOperator} />
      <ProviderFormDialog {...propsOf('managed')} kind="managed" isOperator={isOperator} />
      <FallbackOrderDialog {...propsOf('order')} />
      {provider && (
        <>
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
