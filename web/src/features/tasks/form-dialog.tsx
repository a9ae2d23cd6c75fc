import type { Task } from '@sluice/contract';
import { useState } from 'react';
import { Dialog } from '../../components/ui/dialog.tsx';
import { SegmentedSwitch } from '../../components/ui/segmented-switch.tsx';
import { ApiAccessForm } from './api-access-form.tsx';
import styles from './form.module.css';
import { TaskForm } from './form.tsx';
import type { PeopleSource } from './people-source.ts';

interface TaskFormDialogProps {
  /** Task to edit. Default: a new one. */
  task?: Task;
  people: PeopleSource;
  isOpen: boolean;
  onClose: () => void;
}

export function TaskFormDialog({ task, people, isOpen, onClose }: TaskFormDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={task ? 'Edit Task' : 'Create Task'}>
      {task ? (
        <TaskForm task={task} onSaved={onClose} />
      ) : (
        <CreateForms people={people} onCreated={onClose} />
      )}
    </Dialog>
  );
}

const kinds = [
  { value: 'regular', label: 'Regular Task' },
  { value: 'api-access', label: 'API Access Task' },
] as const;

type Kind = (typeof kinds)[number]['value'];

function CreateForms({ people, onCreated }: { people: PeopleSource; onCreated: () => void }) {
  const [kind, setKind] = useState<Kind>('regular');
  return (
    <>
      <div className={styles.kind}>
        <SegmentedSwitch label="Kind of task" options={kinds} value={kind} onChange={setKind} />
      </div>
      {kind === 'regular' ? (
        <TaskForm onSaved={onCreated} />
      ) : (
        <ApiAccessForm people={people} onCreated={onCreated} />
      )}
    </>
  );
}
