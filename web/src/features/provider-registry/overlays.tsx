import type { RegistryActions } from './actions.ts';
import { VendorFormDialog } from './form-dialog.tsx';

export function RegistryOverlays({ actions }: { actions: RegistryActions }) {
  return (
    <>
      <VendorFormDialog {...actions.propsOf('add')} />
      {actions.vendor && <VendorFormDialog {...actions.propsOf('edit')} vendor={actions.vendor} />}
    </>
  );
}
