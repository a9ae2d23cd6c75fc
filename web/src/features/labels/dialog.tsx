import type { Labels } from '@sluice/contract';
import { z } from 'zod';
import { Form } from '#components/forms/form.tsx';
import { TextAreaField } from '#components/forms/text-field.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { showSuccess } from '#components/ui/toasts.tsx';
import { formatLabelLines, labelLines } from '#lib/label-lines.ts';
import { type Labeled, useSetLabels } from './queries.ts';

const labelsForm = z.object({ labels: labelLines });

interface LabelsDialogProps {
  of: Labeled;
  labels: Labels;
  isOpen: boolean;
  onClose: () => void;
}

export function LabelsDialog({ isOpen, onClose, ...props }: LabelsDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Edit labels" size="sm">
      <LabelsForm {...props} onSaved={onClose} />
    </Dialog>
  );
}

interface LabelsFormProps extends Pick<LabelsDialogProps, 'of' | 'labels'> {
  onSaved: () => void;
}

function LabelsForm({ of, labels, onSaved }: LabelsFormProps) {
  const { mutateAsync } = useSetLabels(of);
  const form = useContractForm({
    schema: labelsForm,
    initialValues: { labels: formatLabelLines(labels) },
  });
  return (
    <Form
      form={form}
      submitLabel="Save labels"
      pendingLabel="Saving..."
      fallbackProblem="Failed to save the labels"
      onSubmit={async (body) => {
        await mutateAsync(body);
        showSuccess('The labels were saved');
        onSaved();
      }}
    >
      <TextAreaField
        label="Labels (one per line)"
        placeholder="cost_center=4711"
        autoCapitalize="none"
        spellCheck={false}
        rows={6}
        data-autofocus
        {...form.bind('labels')}
      />
      <p className="quiet">
        Recorded on each new request. If several labels have the same name, the label of the request takes
        precedence, then the labels of the API key, the task, the user and the team.
      </p>
    </Form>
  );
}
