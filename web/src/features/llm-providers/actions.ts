import type { ConnectionTest, CurrentUser, LlmProvider } from '@sluice/contract';
import { useMemo } from 'react';
import type { RowAction } from '#components/data-table/row-actions.tsx';
import {
  ActivateIcon,
  ApiKeyIcon,
  DeactivateIcon,
  DeleteIcon,
  DrillIcon,
  EditIcon,
  EndOverlapIcon,
  TestIcon,
} from '#components/ui/action-icons.ts';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { messageOf } from '#lib/describe-failure.ts';
import { formatQuantity } from '#lib/format-number.ts';
import { useDialogs } from '#lib/use-dialogs.ts';
import { useEndKeyOverlap, useTestProvider, useUpdateProvider } from './queries.ts';

type DialogKind =
  | 'self'
  | 'managed'
  | 'connected'
  | 'edit'
  | 'maintenance'
  | 'order'
  | 'drill'
  | 'rotate'
  | 'delete';

export function useProviderActions(viewer: CurrentUser) {
  const { about: provider, ...dialogs } = useDialogs<DialogKind, LlmProvider>();
  const { open } = dialogs;
  const { mutate } = useUpdateProvider();
  const { mutate: endOverlap } = useEndKeyOverlap();
  const { mutate: test } = useTestProvider();
  const isOperator = viewer.role.permissions.includes('super_admin');
  const rowActions = useMemo<readonly RowAction<LlmProvider>[]>(() => {
    const keyObstacle = ({ is_service_managed }: LlmProvider) =>
      is_service_managed && !isOperator ? operatorsOnly('change the key of') : null;
    const eraseFormerKey = ({ id }: LlmProvider) =>
      endOverlap(
        { params: { id } },
        saveToasts((name) => `The previous key of ${name} was deleted`),
      );
    const setActive =
      (is_active: boolean) =>
      ({ id }: LlmProvider) =>
        mutate(
          { params: { id }, body: { is_active } },
          saveToasts((name) => `${name} is ${is_active ? 'active' : 'inactive'}`),
        );
    return [
      { name: 'Edit', icon: EditIcon, run: (about) => open('edit', about), isFrequent: true },
      testAction((about) => test(about, testToast(about))),
      drillAction((about) => open('drill', about)),
      {
        name: 'Rotate key',
        icon: ApiKeyIcon,
        run: (about) => open('rotate', about),
        obstacle: keyObstacle,
      },
      {
        name: 'Delete previous key',
        icon: EndOverlapIcon,
        run: eraseFormerKey,
        isHidden: ({ key_overlap }) => key_overlap === null,
        obstacle: keyObstacle,
      },
      ...activeActions(setActive),
      deleteAction((about) => open('delete', about), isOperator),
    ];
  }, [open, mutate, endOverlap, test, isOperator]);
  return { ...dialogs, provider, rowActions, isOperator };
}

type Run = RowAction<LlmProvider>['run'];

const saveToasts = (success: (name: string) => string) => ({
  onSuccess: ({ provider_instance_name }: LlmProvider) => showSuccess(success(provider_instance_name)),
  onError: (error: Error) => showError(messageOf(error, 'Failed to save provider')),
});

const testToast = ({ provider_instance_name: name }: LlmProvider) => ({
  onSuccess: ({ success, available_models, error }: ConnectionTest) => {
    if (success)
      showSuccess(`${name} is connected, with ${formatQuantity(available_models.length, 'model')}`);
    else showError(`${name}: ${error ?? 'Unknown error occurred.'}`);
  },
  onError: (error: Error) => showError(messageOf(error, 'Failed to test provider')),
});

const testAction = (run: Run): RowAction<LlmProvider> => ({ name: 'Test Connection', icon: TestIcon, run });

const drillAction = (run: Run): RowAction<LlmProvider> => ({ name: 'Simulate outage', icon: DrillIcon, run });

const activeActions = (setActive: (isActive: boolean) => Run): RowAction<LlmProvider>[] => [
  {
    name: 'Deactivate',
    icon: DeactivateIcon,
    run: setActive(false),
    isHidden: ({ is_active }) => !is_active,
  },
  { name: 'Activate', icon: ActivateIcon, run: setActive(true), isHidden: ({ is_active }) => is_active },
];

const deleteAction = (run: Run, isOperator: boolean): RowAction<LlmProvider> => ({
  name: 'Delete',
  icon: DeleteIcon,
  run,
  isDangerous: true,
  obstacle: ({ is_service_managed }) => (is_service_managed && !isOperator ? operatorsOnly('delete') : null),
});

const operatorsOnly = (deed: string) => `Only a super administrator may ${deed} a service-managed provider`;

export type ProviderActions = ReturnType<typeof useProviderActions>;
