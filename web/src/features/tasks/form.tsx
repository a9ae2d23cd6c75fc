import {
  regularTaskBody,
  type Task,
  taskCategories,
  taskDefaults,
  taskDifficulties,
  updateTaskBody,
} from '@sluice/contract';
import { CheckboxField } from '#components/forms/checked-fields.tsx';
import { Form } from '#components/forms/form.tsx';
import { NumberField } from '#components/forms/number-field.tsx';
import { SelectField } from '#components/forms/select-field.tsx';
import { TextAreaField, TextField } from '#components/forms/text-field.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { showSuccess } from '#components/ui/toasts.tsx';
import { optionsOf, pickChanges } from './filter-tasks.ts';
import styles from './form.module.css';
import { useCreateTask, useUpdateTask } from './queries.ts';
import { type Draft, TaskRehearsal } from './rehearsal.tsx';

interface TaskFormProps {
  task?: Task;
  onSaved: () => void;
}

const newTask = { title: '', description: '', ...taskDefaults };

export function TaskForm({ task, onSaved }: TaskFormProps) {
  const save = useSave(task);
  const form = useContractForm({
    schema: task ? updateTaskBody : regularTaskBody,
    initialValues: task ? readFields(task) : newTask,
  });
  return (
    <Form
      form={form}
      submitLabel={task ? 'Update Task' : 'Create Task'}
      pendingLabel={task ? 'Updating Task...' : 'Creating Task...'}
      fallbackProblem="Failed to save task"
      needsChange={task !== undefined}
      onSubmit={async (body) => {
        await save(body);
        onSaved();
      }}
    >
      <TextField label="Title" data-autofocus {...form.bind('title')} />
      <TextAreaField
        label="Description"
        placeholder="The purpose of the work. Requests are compared with this text."
        autosize
        minRows={3}
        maxRows={8}
        {...form.bind('description')}
      />
      <KindFields bind={form.bind} />
      {!task?.is_dummy_task && <LimitFields bind={form.bind} />}
      <CheckboxField
        label="Task is active"
        description="An inactive task keeps its assignments but accepts no requests."
        {...form.bindChecked('is_active')}
      />
      <TaskRehearsal draft={readDraft(form.values)} taskId={task?.id} />
    </Form>
  );
}

interface FieldsProps {
  bind: (name: keyof typeof newTask) => object;
}

function KindFields({ bind }: FieldsProps) {
  return (
    <div className={styles.row}>
      <SelectField label="Category" options={optionsOf(taskCategories)} {...bind('category')} />
      <SelectField label="Difficulty" options={optionsOf(taskDifficulties)} {...bind('difficulty_level')} />
      <NumberField
        label="Estimated hours"
        emptyMeans="unlimited"
        placeholder=""
        step={0.5}
        {...bind('estimated_hours')}
      />
    </div>
  );
}

function LimitFields({ bind }: FieldsProps) {
  return (
    <div className={styles.limits}>
      <NumberField
        label="Token limit"
        emptyMeans="unlimited"
        placeholder=""
        step={1_000}
        {...bind('token_limit')}
      />
      <NumberField
        label="Max tokens per request"
        emptyMeans="unlimited"
        placeholder=""
        step={100}
        {...bind('max_tokens_per_request')}
      />
      <p className={styles.hint}>
        The token limit applies to each user. The limit per request caps each response.
      </p>
    </div>
  );
}

const readDraft = ({ title, description, category }: Draft): Draft => ({ title, description, category });

function readFields({ is_dummy_task, token_limit, max_tokens_per_request, ...task }: Task) {
  const { title, description, category, difficulty_level, estimated_hours, is_active } = task;
  const fields = { title, description, category, difficulty_level, estimated_hours, is_active };
  return is_dummy_task ? fields : { ...fields, token_limit, max_tokens_per_request };
}

function useSave(task: Task | undefined) {
  const create = useCreateTask();
  const update = useUpdateTask();
  return async (filledIn: object) => {
    if (!task) {
      const { title } = await create.mutateAsync({ body: regularTaskBody.parse(filledIn) });
      return showSuccess(`${title} was created`);
    }
    const body = pickChanges(task, updateTaskBody.parse(filledIn));
    if (Object.keys(body).length === 0) return;
    const { title } = await update.mutateAsync({ params: { id: task.id }, body });
    showSuccess(`${title} was updated`);
  };
}
