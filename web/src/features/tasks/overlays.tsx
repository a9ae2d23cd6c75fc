import type { Task } from '@sluice/contract';
import type { DataTableModel } from '../../components/data-table/use-data-table.ts';
import type { TaskActs } from './actions.ts';
import { AssignTaskDialog } from './assign-dialog.tsx';
import { DeleteTaskDialog } from './delete-dialog.tsx';
import { TaskDrawer } from './drawer.tsx';
import { TaskFormDialog } from './form-dialog.tsx';
import type { PeopleSource } from './people-source.ts';

interface TaskOverlaysProps {
  model: DataTableModel<Task>;
  tasks: readonly Task[] | undefined;
  people: PeopleSource;
  acts: TaskActs;
}

/** What opens over the list of tasks: the people of one, and what can be done to it. */
export function TaskOverlays({ model, tasks, people, acts }: TaskOverlaysProps) {
  const { open } = model.state.search;
  return (
    <>
      {open !== undefined && <TaskDrawer model={model} tasks={tasks} id={String(open)} acts={acts} />}
      <TaskFormDialog {...acts.propsOf('create')} people={people} />
      {acts.task && (
        <>
          <TaskFormDialog {...acts.propsOf('edit')} task={acts.task} people={people} />
          <AssignTaskDialog {...acts.propsOf('assign')} task={acts.task} people={people} />
          <DeleteTaskDialog {...acts.propsOf('delete')} task={acts.task} />
        </>
      )}
    </>
  );
}
