import { Button } from '@mantine/core';
import type { Tenant } from '@sluice/contract';
import { useCallback, useMemo } from 'react';
import type { RowAction } from '#components/data-table/row-actions.tsx';
import { ActivateIcon, DeactivateIcon, EditIcon } from '#components/ui/action-icons.ts';
import { useConfirm } from '#components/ui/confirm.tsx';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { messageOf } from '#lib/describe-failure.ts';
import { lazyFile, lazyPart, useEverTrue, usePreload } from '#lib/lazy-part.tsx';
import { useDialogs } from '#lib/use-dialogs.ts';
import type { DialogKind } from './overlays.tsx';
import { useReactivateTenant } from './queries.ts';

export function useTenantAdministration(isOperator: boolean) {
  const { dialogs, rowActions } = useTenantActions();
  const isAnythingOpened = useEverTrue(dialogs.isOpen);
  usePreload(async () => isOperator && loadOverlays());
  return {
    createButton: isOperator && <Button onClick={() => dialogs.open('create')}>Create tenant</Button>,
    rowActions: isOperator ? rowActions : none,
    overlays: isAnythingOpened && <TenantOverlays dialogs={dialogs} />,
  };
}

const none: readonly RowAction<Tenant>[] = [];

/** Loads the dialogs separately, so that the list appears first. */
const loadOverlays = lazyFile(() => import('./overlays.tsx'));
const TenantOverlays = lazyPart(loadOverlays, 'TenantOverlays');

function useTenantActions() {
  const dialogs = useDialogs<DialogKind, Tenant>();
  const { open } = dialogs;
  const reactivate = useReactivate();
  const rowActions = useMemo(
    (): readonly RowAction<Tenant>[] => [
      { name: 'Edit plan and limits', icon: EditIcon, run: (tenant) => open('edit', tenant) },
      {
        name: 'Reactivate',
        icon: ActivateIcon,
        isHidden: ({ status }) => status !== 'suspended',
        run: (tenant) => void reactivate(tenant),
      },
      {
        name: 'Suspend',
        icon: DeactivateIcon,
        isDangerous: true,
        isHidden: ({ status }) => status === 'suspended',
        run: (tenant) => open('suspend', tenant),
      },
    ],
    [open, reactivate],
  );
  return { dialogs, rowActions };
}

function useReactivate() {
  const confirm = useConfirm();
  const { mutate } = useReactivateTenant();
  return useCallback(
    async ({ id, name }: Tenant) => {
      const isAgreed = await confirm({
        title: `Reactivate ${name}?`,
        message: 'Its requests are accepted again, and its users no longer see the suspension notice.',
        confirmLabel: 'Reactivate',
      });
      if (!isAgreed) return;
      mutate(id, {
        onSuccess: () => showSuccess(`${name} is reactivated`),
        onError: (error) => showError(messageOf(error, 'Failed to reactivate tenant')),
      });
    },
    [confirm, mutate],
  );
}
