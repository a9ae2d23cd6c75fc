import { type LlmProvider, startMaintenanceBody } from '@sluice/contract';
import { z } from 'zod';
import { Form } from '#components/forms/form.tsx';
import { SelectField } from '#components/forms/select-field.tsx';
import { TextField } from '#components/forms/text-field.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { showSuccess } from '#components/ui/toasts.tsx';
import { useStartMaintenance } from './queries.ts';

interface MaintenanceDialogProps {
  provider: LlmProvider;
  isOpen: boolean;
  onClose: () => void;
}

export function MaintenanceDialog({ provider, isOpen, onClose }: MaintenanceDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={`Maintenance of ${provider.provider_instance_name}`}>
      <MaintenanceForm provider={provider} onStarted={onClose} />
    </Dialog>
  );
}

const minuteMs = 60_000;

const ends = [
  { value: '', label: 'When I turn it off' },
  { value: '30', label: 'In 30 minutes' },
  { value: '60', label: 'In 1 hour' },
  { value: '240', label: 'In 4 hours' },
  { value: '1440', label: 'In 24 hours' },
];

/** The user enters `until` as minutes from now. */
const maintenanceForm = z
  .object({ reason: startMaintenanceBody.shape.reason.unwrap().unwrap(), until: z.string() })
  .transform(({ reason, until }) => ({
    reason: reason || null,
    until: until === '' ? null : new Date(Date.now() + Number(until) * minuteMs).toISOString(),
  }));

function MaintenanceForm({ provider, onStarted }: { provider: LlmProvider; onStarted: () => void }) {
  const { mutateAsync } = useStartMaintenance();
  const form = useContractForm({ schema: maintenanceForm, initialValues: { reason: '', until: '' } });
  const start = async (body: z.output<typeof maintenanceForm>) => {
    const { provider_instance_name: name } = await mutateAsync({ params: { id: provider.id }, body });
    showSuccess(`${name} is in maintenance`);
    onStarted();
  };
  return (
    <Form
      form={form}
      submitLabel="Start maintenance"
      pendingLabel="Starting..."
      fallbackProblem="Failed to start maintenance"
      onSubmit={start}
    >
      <p>
        New requests go to the next provider that serves the model, in the fallback order. If no other
        provider serves it, callers get a 502 error. Running requests finish.
      </p>
      <p className="quiet">
        Grants and model lists do not change. To make its models unavailable for all users, deactivate the
        provider instead.
      </p>
      <TextField
        label="Reason (optional)"
        description="Shown to callers whose requests are refused."
        placeholder="Certificates are renewed"
        data-autofocus
        {...form.bind('reason')}
      />
      <SelectField label="Ends" options={ends} {...form.bind('until')} />
    </Form>
  );
}
