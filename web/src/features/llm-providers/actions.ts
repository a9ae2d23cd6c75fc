import type { CurrentUser, LlmProvider } from '@sluice/contract';
import { useMemo } from 'react';
import type { RowAction } from '../../components/data-table/row-action.ts';
import {
  ActivateIcon,
  ApiKeyIcon,
  DeactivateIcon,
  DeleteIcon,
  EditIcon,
} from '../../components/ui/action-icons.ts';
import { showError, showSuccess } from '../../components/ui/toasts.tsx';
import { messageOf } from '../../lib/message-of.ts';
import { useDialogs } from '../../lib/use-dialogs.ts';
import { useUpdateProvider } from './queries.ts';

type DialogKind = 'self' | 'managed' | 'edit' | 'rotate' | 'delete';

/** What can be done on the page of providers, and which dialog is open about which. */
export function useProviderActions(viewer: CurrentUser) {
  const { about: provider, ...dialogs } = useDialogs<DialogKind, LlmProvider>();
  const { open } = dialogs;
  const { mutate } = useUpdateProvider();
  const isOperator = viewer.role.permissions.includes('super_admin');
  const rowActions = useMemo<readonly RowAction<LlmProvider>[]>(() => {
    const setActive = (is_active: boolean) => (about: LlmProvider) =>
      mutate(
        { params: { id: about.id }, body: { is_active } },
        {
          onSuccess: ({ provider_instance_name: name }) =>
            showSuccess(`${name} is ${is_active ? 'active' : 'inactive'}`),
          onError: (error) => showError(messageOf(error, 'Failed to save provider')),
        },
      );
    return [
      { name: 'Edit', icon: EditIcon, run: (about) => open('edit', about), isInline: true },
      {
        name: 'Rotate Key',
        icon: ApiKeyIcon,
        run: (about) => open('rotate', about),
        obstacle: ({ is_service_managed }) =>
          is_service_managed && !isOperator ? operatorsOnly('change the key of') : null,
      },
      {
        name: 'Deactivate',
        icon: DeactivateIcon,
        run: setActive(false),
        isHidden: ({ is_active }) => !is_active,
      },
      {
        name: 'Activate',
        icon: ActivateIcon,
        run: setActive(true),
        isHidden: ({ is_active }) => is_active,
      },
      {
        name: 'Delete',
        icon: DeleteIcon,
        run: (about) => open('delete', about),
        isInline: true,
        isDangerous: true,
        obstacle: ({ is_service_managed }) =>
          is_service_managed && !isOperator ? operatorsOnly('delete') : null,
      },
    ];
  }, [open, mutate, isOperator]);
  return { ...dialogs, provider, rowActions, isOperator };
}

const operatorsOnly = (deed: string) => `Only a super administrator may ${deed} a service-managed provider`;

export type ProviderActions = ReturnType<typeof useProviderActions>;
