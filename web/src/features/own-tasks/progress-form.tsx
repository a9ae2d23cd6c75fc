import { Button } from '@mantine/core';
import type { UserTask } from '@sluice/contract';
import { useState } from 'react';
import { TextAreaField } from '../../components/forms/text-area-field.tsx';
import { showError, showSuccess } from '../../components/ui/toasts.tsx';
import { messageOf } from '../../lib/message-of.ts';
import styles from './card.module.css';
import { useSaveProgress } from './queries.ts';

/** Form for the progress of a task. */
export function ProgressForm({ task, onDone }: { task: UserTask; onDone: () => void }) {
  const [notes, setNotes] = useState(task.progress_notes);
  const { mutate, isPending } = useSaveProgress();
  const save = () =>
    mutate(
      { id: task.id, notes },
      {
        onSuccess: () => {
          showSuccess('Progress saved');
          onDone();
        },
        onError: (error) => showError(messageOf(error, 'The progress could not be saved')),
      },
    );
  return (
    <>
      <TextAreaField
        label="Progress notes"
        value={notes}
        maxLength={10_000}
        autoFocus
        onChange={({ currentTarget }) => setNotes(currentTarget.value)}
      />
      <div className={styles.actions}>
        <Button data-pending={isPending || undefined} onClick={save}>
          Save
        </Button>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </>
  );
}
