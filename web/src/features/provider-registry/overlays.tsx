import type { RegistryActions } from './actions.ts';
import { VendorFormDialog } from './form-dialog.tsx';

/** What opens over the list of vendors: the form of a new one, and of one there is. */
export function RegistryOverlays({ actions }: { actions: RegistryActions }) {
  return (
    <>
      <VendorFormDialog {...actions.propsOf('add')} />
      {actions.vendor && <VendorFormDialog {...actions.propsOf('edit')} vendor={actions.vendor} />}
    </>
  );
}
