import type { Task } from '@sluice/contract';
import type { DataTableModel } from '../../components/data-table/use-data-table.ts';
import type { TaskActions } from './actions.ts';
import { AssignTaskDialog } from './assign-dialog.tsx';
import { DeleteTaskDialog } from './delete-dialog.tsx';
import { TaskDrawer } from './drawer.tsx';
import { TaskFormDialog } from './form-dialog.tsx';
import type { PeopleSource } from './people-source.ts';

interface TaskOverlaysProps {
  model: DataTableModel<Task>;
  tasks: readonly Task[] | undefined;
  people: PeopleSource;
  actions: TaskActions;
}

/** Drawer and dialogs of the tasks page. */
export function TaskOverlays({ model, tasks, people, actions }: TaskOverlaysProps) {
  const { open } = model.state.search;
  return (
    <>
      {open !== undefined && <TaskDrawer model={model} tasks={tasks} id={String(open)} actions={actions} />}
      <TaskFormDialog {...actions.propsOf('create')} people={people} />
      {actions.task && (
        <>
          <TaskFormDialog {...actions.propsOf('edit')} task={actions.task} people={people} />
          <AssignTaskDialog {...actions.propsOf('assign')} task={actions.task} people={people} />
          <DeleteTaskDialog {...actions.propsOf('delete')} task={actions.task} />
        </>
      )}
    </>
  );
}
