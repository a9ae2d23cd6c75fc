import type { LlmProvider } from '@sluice/contract';
import { SwitchField } from '../../components/forms/checked-fields.tsx';
import { showError, showSuccess } from '../../components/ui/toasts.tsx';
import { messageOf } from '../../lib/message-of.ts';
import { useEndMaintenance } from './queries.ts';

interface MaintenanceSwitchProps {
  provider: LlmProvider;
  isOn: boolean;
  /** Called when switched on, to ask for reason and end. */
  onStart: () => void;
}

/** Switch for maintenance; turning it off takes effect at once. */
export function MaintenanceSwitch({ provider, isOn, onStart }: MaintenanceSwitchProps) {
  const { id, provider_instance_name: name } = provider;
  const { mutate, isPending } = useEndMaintenance();
  const end = () =>
    mutate(
      { params: { id } },
      {
        onSuccess: () => showSuccess(`${name} takes requests again`),
        onError: (error) => showError(messageOf(error, 'Failed to end maintenance')),
      },
    );
  return (
    <SwitchField
      label="Maintenance"
      aria-label={`Maintenance of ${name}`}
      checked={isOn}
      aria-disabled={isPending}
      onChange={() => {
        if (!isOn) onStart();
        else if (!isPending) end();
      }}
    />
  );
}
