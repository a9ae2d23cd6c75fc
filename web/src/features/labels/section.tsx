import { Button } from '@mantine/core';
import { formatLabel, type Labels } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { z } from 'zod';
import { Form } from '#components/forms/form.tsx';
import { TextAreaField } from '#components/forms/text-field.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { EditIcon } from '#components/ui/action-icons.ts';
import { Badge } from '#components/ui/badge.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { showSuccess } from '#components/ui/toasts.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { formatLabelLines, labelLines } from '#lib/label-lines.ts';
import { type Labeled, labelsQuery, useSetLabels } from './queries.ts';
import styles from './section.module.css';

interface LabelsSectionProps {
  of: Labeled;
}

/** Labels of a team, user or task, for the drawer with its details. */
export function LabelsSection({ of }: LabelsSectionProps) {
  const answer = useQuery(labelsQuery(of));
  const [isOpen, setOpen] = useState(false);
  const failure = describeFailure(answer, 'Failed to load labels');
  if (failure && !answer.data) return <Failure {...failure} />;
  if (!answer.data) return null;
  const { labels } = answer.data;
  return (
    <section aria-label="Labels">
      <div className={styles.head}>
        <h3>Labels</h3>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<EditIcon size={14} strokeWidth={1.5} aria-hidden />}
          onClick={() => setOpen(true)}
        >
          Edit labels
        </Button>
      </div>
      <LabelList labels={labels} />
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Edit Labels" size="sm">
        <LabelsForm of={of} labels={labels} onSaved={() => setOpen(false)} />
      </Dialog>
    </section>
  );
}

function LabelList({ labels }: { labels: Labels }) {
  const pairs = Object.entries(labels);
  if (pairs.length === 0) return <p className="quiet">No labels, such as a cost center.</p>;
  return (
    <ul className={styles.list}>
      {pairs.map(([name, value]) => (
        <li key={name}>
          <Badge>{formatLabel(name, value)}</Badge>
        </li>
      ))}
    </ul>
  );
}

const labelsForm = z.object({ labels: labelLines });

interface LabelsFormProps extends LabelsSectionProps {
  labels: Labels;
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
      submitLabel="Save Labels"
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
        Recorded on each request from now on. For a name that several have, the request’s own label applies,
        then the one of the API key, the task, the user and the team.
      </p>
    </Form>
  );
}
