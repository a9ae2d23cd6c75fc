import type { ProviderRegistryEntry } from '@sluice/contract';
import { useMemo } from 'react';
import type { RowAction } from '#components/data-table/row-actions.tsx';
import { ActivateIcon, DeactivateIcon, DeleteIcon, EditIcon } from '#components/ui/action-icons.ts';
import { useConfirm } from '#components/ui/confirm.tsx';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { messageOf } from '#lib/describe-failure.ts';
import { useDialogs } from '#lib/use-dialogs.ts';
import { useDeleteVendor, useUpdateVendor } from './queries.ts';

type DialogKind = 'add' | 'edit';

export function useRegistryActions() {
  const { about: vendor, ...dialogs } = useDialogs<DialogKind, ProviderRegistryEntry>();
  const { open } = dialogs;
  const { setActive, askAndRemove } = useVendorChanges();
  const rowActions = useMemo<readonly RowAction<ProviderRegistryEntry>[]>(
    () => [
      { name: 'Edit', icon: EditIcon, run: (about) => open('edit', about), isFrequent: true },
      {
        name: 'Deactivate',
        icon: DeactivateIcon,
        run: (about) => void setActive(about, false),
        isHidden: ({ is_active }) => !is_active,
      },
      {
        name: 'Activate',
        icon: ActivateIcon,
        run: (about) => void setActive(about, true),
        isHidden: ({ is_active }) => is_active,
        obstacle: ({ is_built_in, default_endpoint }) =>
          is_built_in || default_endpoint !== null
            ? null
            : 'This version of Sluice does not support this provider type',
      },
      {
        name: 'Delete',
        icon: DeleteIcon,
        run: (about) => void askAndRemove(about),
        isDangerous: true,
        obstacle: ({ is_built_in }) => (is_built_in ? 'Built in; deactivate it instead' : null),
      },
    ],
    [open, setActive, askAndRemove],
  );
  return { ...dialogs, vendor, rowActions };
}

export type RegistryActions = ReturnType<typeof useRegistryActions>;

function useVendorChanges() {
  const confirm = useConfirm();
  const { mutate: update } = useUpdateVendor();
  const { mutate: remove } = useDeleteVendor();
  return useMemo(() => {
    const setActive = async (about: ProviderRegistryEntry, is_active: boolean) => {
      if (!is_active && !(await confirm(askToDeactivate(about)))) return;
      update(
        { params: { id: about.id }, body: { is_active } },
        {
          onSuccess: ({ display_name }) =>
            showSuccess(`${display_name} is ${is_active ? 'active' : 'inactive'}`),
          onError: (error) => showError(messageOf(error, 'Failed to save provider')),
        },
      );
    };
    const askAndRemove = async (about: ProviderRegistryEntry) => {
      if (!(await confirm(askToDelete(about)))) return;
      remove(about, {
        onSuccess: () => showSuccess(`${about.display_name} was deleted`),
        onError: (error) => showError(messageOf(error, 'Failed to delete provider')),
      });
    };
    return { setActive, askAndRemove };
  }, [confirm, update, remove]);
}

const askToDeactivate = ({ display_name, provider_key }: ProviderRegistryEntry) => ({
  title: `Deactivate ${display_name}?`,
  message: 'Its instances accept no requests in any tenant until it is activated again.',
  inUse: { of: { provider_key } },
  confirmLabel: 'Deactivate',
  isDanger: true,
});

const askToDelete = ({ display_name, provider_key }: ProviderRegistryEntry) => ({
  title: `Delete ${display_name}?`,
  message: 'It can be deleted only if no tenant has an instance of it. Past requests stay in the logs.',
  inUse: { of: { provider_key } },
  confirmLabel: 'Delete',
  isDanger: true,
});
