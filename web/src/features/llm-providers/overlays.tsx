import type { ProviderActions } from './actions.ts';
import { DeleteProviderDialog } from './delete-dialog.tsx';
import { ProviderFormDialog } from './form-dialog.tsx';
import { RotateKeyDialog } from './rotate-key-dialog.tsx';

/** What opens over the providers: the forms, and the question before one is deleted. */
export function ProviderOverlays({ actions }: { actions: ProviderActions }) {
  const { provider, isOperator, propsOf } = actions;
  return (
    <>
      <ProviderFormDialog {...propsOf('self')} kind="self" isOperator={isOperator} />
      <ProviderFormDialog {...propsOf('managed')} kind="managed" isOperator={isOperator} />
      {provider && (
        <>
          <ProviderFormDialog
            {...propsOf('edit')}
            kind={provider.is_service_managed ? 'managed' : 'self'}
            isOperator={isOperator}
            provider={provider}
          />
          <RotateKeyDialog {...propsOf('rotate')} provider={provider} />
          <DeleteProviderDialog {...propsOf('delete')} provider={provider} />
        </>
      )}
    </>
  );
}
