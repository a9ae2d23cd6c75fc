import type { RegistryActions } from './actions.ts';
import { VendorFormDialog } from './form-dialog.tsx';

/** Forms to add and edit a vendor. */
export function RegistryOverlays({ actions }: { actions: RegistryActions }) {
  return (
    <>
      <VendorFormDialog {...actions.propsOf('add')} />
      {actions.vendor && <VendorFormDialog {...actions.propsOf('edit')} vendor={actions.vendor} />}
    </>
  );
}
