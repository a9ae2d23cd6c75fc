import { Button } from '@mantine/core';
import { type PendingTool, signedInToolsRoutes } from '@sluice/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Form } from '#components/forms/form.tsx';
import { SelectField } from '#components/forms/select-field.tsx';
import { TextField } from '#components/forms/text-field.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { VisitorPage } from '#components/layout/visitor-page.tsx';
import { Fact, FactList } from '#components/ui/fact-list.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Time } from '#components/ui/time.tsx';
import { messageOf } from '#lib/describe-failure.ts';
import { formatZonedTime } from '#lib/format-time.ts';
import { currentUserQuery } from '#lib/session.ts';
import styles from './device-screen.module.css';
import { decideTool, findTool, nameTool } from './queries.ts';

interface DeviceScreenProps {
  /** Code from the URL, which prefills the field. */
  givenCode: string | undefined;
}

type Step =
  | { readonly kind: 'code' }
  | { readonly kind: 'tool'; readonly tool: PendingTool }
  | { readonly kind: 'done'; readonly tool: PendingTool; readonly isAllowed: boolean };

/** A click is required even if the URL contains the code. */
export function DeviceScreen({ givenCode }: DeviceScreenProps) {
  const [step, setStep] = useState<Step>({ kind: 'code' });
  const { data: user } = useQuery(currentUserQuery);
  if (step.kind === 'tool') {
    const { tool } = step;
    return (
      <Decision
        tool={tool}
        account={user?.email ?? ''}
        onDone={(isAllowed) => setStep({ kind: 'done', tool, isAllowed })}
      />
    );
  }
  if (step.kind === 'done') return <Outcome tool={step.tool} isAllowed={step.isAllowed} />;
  return <CodeEntry givenCode={givenCode} onFound={(tool) => setStep({ kind: 'tool', tool })} />;
}

function CodeEntry({ givenCode, onFound }: DeviceScreenProps & { onFound: (tool: PendingTool) => void }) {
  const form = useContractForm({
    schema: signedInToolsRoutes.findPendingTool.request.body,
    initialValues: { user_code: givenCode ?? '' },
  });
  return (
    <VisitorPage
      title="Sign in to a tool"
      subtitle={
        givenCode
          ? 'Continue if your command-line tool shows this code.'
          : 'Enter the code that your command-line tool shows.'
      }
    >
      <Form
        form={form}
        submitLabel="Continue"
        pendingLabel="Looking up..."
        fallbackProblem="The code could not be checked"
        isGuarded={false}
        onSubmit={async ({ user_code }) => onFound(await findTool(user_code))}
      >
        <TextField
          label="Code"
          description="8 letters, such as WDJB-MJHT"
          autoCapitalize="characters"
          spellCheck={false}
          autoFocus
          classNames={{ input: styles.entry }}
          {...form.bind('user_code')}
        />
      </Form>
    </VisitorPage>
  );
}

interface DecisionProps {
  tool: PendingTool;
  account: string;
  onDone: (isAllowed: boolean) => void;
}

function Decision({ tool, account, onDone }: DecisionProps) {
  const { tasks, user_code } = tool;
  const [taskId, setTaskId] = useState(() => findRequested(tool));
  const [isTaskMissing, setTaskMissing] = useState(false);
  const decide = useMutation({
    mutationFn: (task_id: number | null) => decideTool({ user_code, task_id }),
    onSuccess: (_result, task_id) => onDone(task_id !== null),
  });
  const allow = () => {
    setTaskMissing(taskId === '');
    if (taskId !== '' && !decide.isPending) decide.mutate(Number(taskId));
  };
  const deny = () => !decide.isPending && decide.mutate(null);
  return (
    <VisitorPage
      title="Allow this tool?"
      subtitle={`${nameTool(tool)} wants to send requests as ${account}.`}
    >
      <div className={styles.content}>
        <div className={styles.comparison}>
          <p>Compare this code with the one that the tool shows:</p>
          <p className={styles.code}>{user_code}</p>
        </div>
        <ToolFacts tool={tool} />
        <TaskChoice
          tasks={tasks}
          value={taskId}
          isMissing={isTaskMissing && taskId === ''}
          onChange={setTaskId}
        />
        {decide.isError && (
          <div role="alert">
            <Notice kind="bad" title={messageOf(decide.error, 'The decision could not be saved')} />
          </div>
        )}
        <Notice kind="warn" title="Did you start this sign-in yourself?">
          If not, deny it. Otherwise someone else can send requests in your name.
        </Notice>
        <div className={styles.choices}>
          <Button size="md" variant="default" aria-disabled={decide.isPending} onClick={deny}>
            Deny
          </Button>
          <Button size="md" disabled={tasks.length === 0} aria-disabled={decide.isPending} onClick={allow}>
            Allow
          </Button>
        </div>
      </div>
    </VisitorPage>
  );
}

/** Falls back to the user's only task, otherwise to an empty string. */
function findRequested({ tasks }: PendingTool): string {
  const requested =
    tasks.find(({ is_requested }) => is_requested) ?? (tasks.length === 1 ? tasks[0] : undefined);
  return requested ? String(requested.id) : '';
}

interface TaskChoiceProps {
  tasks: PendingTool['tasks'];
  value: string;
  isMissing: boolean;
  onChange: (taskId: string) => void;
}

function TaskChoice({ tasks, value, isMissing, onChange }: TaskChoiceProps) {
  if (tasks.length === 0) {
    return (
      <Notice kind="warn" title="You have no open task">
        A tool sends its requests for a task. Ask an administrator to assign one to you, then reload this
        page.
      </Notice>
    );
  }
  return (
    <SelectField
      label="Task"
      description="The tool can send requests for this task only. Its access ends with your session."
      placeholder="Select a task"
      options={tasks.map(({ id, title }) => ({ value: id, label: title }))}
      value={value}
      error={isMissing ? 'Select a task' : undefined}
      onChange={onChange}
    />
  );
}

function ToolFacts({ tool }: { tool: PendingTool }) {
  return (
    <FactList>
      <Fact name="IP address">{tool.address}</Fact>
      <Fact name="Client">{tool.user_agent || 'Unknown'}</Fact>
      <Fact name="Requested">
        <Time value={tool.requested_at} />
      </Fact>
      <Fact name="Access ends">{formatZonedTime(tool.access_ends_at)}</Fact>
    </FactList>
  );
}

function Outcome({ tool, isAllowed }: { tool: PendingTool; isAllowed: boolean }) {
  return (
    <VisitorPage
      title={isAllowed ? 'Tool signed in' : 'Sign-in denied'}
      subtitle={isAllowed ? 'Return to your terminal. You can close this page.' : 'You can close this page.'}
    >
      <div className={styles.content}>
        <div role="status">
          {isAllowed ? (
            <Notice kind="ok" title={`${nameTool(tool)} is signed in.`}>
              You can sign it out in your profile at any time.
            </Notice>
          ) : (
            <Notice kind="ok" title={`${nameTool(tool)} was denied access.`} />
          )}
        </div>
        <Button component={Link} to="/dashboard/profile" variant="default" size="md" fullWidth>
          Open signed-in tools
        </Button>
      </div>
    </VisitorPage>
  );
}
