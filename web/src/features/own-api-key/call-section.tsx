import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { SelectField } from '../../components/forms/select-field.tsx';
import { SegmentedSwitch } from '../../components/ui/segmented-switch.tsx';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import { Snippet } from '../../components/ui/snippet.tsx';
import { SnippetTabs } from '../../components/ui/snippet-tabs.tsx';
import { showSuccess } from '../../components/ui/toasts.tsx';
import { chatSnippet, snippetSdks } from '../../lib/chat-snippet.ts';
import { ownModelNamesQuery } from '../../lib/own-models.ts';
import { useRemembered } from '../../lib/remembered.ts';
import { userTasksQuery } from '../../lib/user-tasks.ts';
import styles from './screen.module.css';

const announceCopy = () => showSuccess('Copied to clipboard!');

/** Example calls in three languages and two vendors' clients, with a model that the user may use. */
export function CallSection({ hasKey }: { hasKey: boolean }) {
  const { data: models, isPending, isError } = useQuery(ownModelNamesQuery);
  const { data: tasks = [] } = useQuery(userTasksQuery);
  const active = tasks.filter((task) => task.status === 'active' && task.is_task_active);
  return (
    <section className={`${styles.panel} ${styles.calls}`} aria-label="Make a call">
      <h2>Make a Call</h2>
      <p className="quiet">
        {hasKey
          ? 'Put your key into the environment of your program, then run one of these.'
          : 'You have no key yet. When your administrator has given you one, run one of these.'}
      </p>
      <Snippet title="In your shell" text="export SLUICE_API_KEY=slc_..." onCopied={announceCopy} />
      {isPending && <SkeletonLines count={6} />}
      {isError && (
        <p className="quiet">Your models could not be loaded. While you are blocked there are none.</p>
      )}
      {models?.length === 0 && (
        <p className="quiet">You may use no model yet. Ask your administrator for access to one.</p>
      )}
      {models?.[0] !== undefined && (
        <CallSnippets
          models={models}
          tasks={active.map(({ task_id, task_title }) => ({ id: task_id, title: task_title }))}
        />
      )}
    </section>
  );
}

interface CallSnippetsProps {
  models: readonly string[];
  tasks: readonly { id: number; title: string }[];
}

function CallSnippets({ models, tasks }: CallSnippetsProps) {
  const [sdk, setSdk] = useRemembered('snippet-sdk', snippetSdks);
  const [chosenModel, setModel] = useState('');
  const [chosenTask, setTask] = useState('');
  const model = models.includes(chosenModel) ? chosenModel : (models[0] ?? '');
  const task = tasks.find(({ id }) => String(id) === chosenTask) ?? tasks[0];
  // With a single task, the request need not name it.
  const taskId = tasks.length > 1 ? task?.id : undefined;
  const write = (language: 'curl' | 'Python' | 'TypeScript') =>
    chatSnippet(language, window.location.origin, model, { sdk, taskId });
  return (
    <>
      <div className={styles.choices}>
        <div>
          <SegmentedSwitch
            label="Client"
            options={snippetSdks.map((name) => ({ value: name, label: name }))}
            value={sdk}
            onChange={setSdk}
          />
        </div>
        <SelectField
          label="Model"
          value={model}
          options={models.map((id) => ({ value: id, label: id }))}
          onChange={setModel}
        />
        {tasks.length > 1 && (
          <SelectField
            label="Task"
            value={task?.id}
            options={tasks.map(({ id, title }) => ({ value: id, label: title }))}
            onChange={setTask}
          />
        )}
      </div>
      <SnippetTabs
        texts={{ curl: write('curl'), Python: write('Python'), TypeScript: write('TypeScript') }}
        onCopied={announceCopy}
      />
    </>
  );
}
