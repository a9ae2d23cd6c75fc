import { Button } from '@mantine/core';
import type { AccessExplanation } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { listPersonChoices } from '#components/forms/picker-choices.ts';
import { PickerField } from '#components/forms/picker-field.tsx';
import { SelectField } from '#components/forms/select-field.tsx';
import { SuggestField } from '#components/forms/suggest-field.tsx';
import { RefreshIcon } from '#components/ui/action-icons.ts';
import { Drawer } from '#components/ui/drawer.tsx';
import { Failure, Notice } from '#components/ui/notice.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { StatusShape } from '#components/ui/status-mark.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import styles from './explain-drawer.module.css';
import explanationStyles from './explanation.module.css';
import { explanationQuery, grantableProvidersQuery, useUsers } from './queries.ts';

type Rule = AccessExplanation['rules'][number];

const ruleNames: Record<Rule['name'], string> = {
  user: 'User',
  task: 'Task',
  tenant: 'Tenant',
  model: 'Model',
  blacklist: 'Blacklist',
  grant: 'Grant',
  provider: 'Provider',
  limits: 'Limits',
};

const outcomes = {
  passes: { kind: 'ok', word: 'passes' },
  refuses: { kind: 'bad', word: 'refuses the request' },
  not_asked: { kind: 'off', word: 'not checked' },
} as const;

interface ExplanationProps {
  explanation: AccessExplanation;
  userName: string;
  isStale: boolean;
  onAskAgain: () => void;
}

/** Highlights the deciding rule. */
function Explanation({ explanation, userName, isStale, onAskAgain }: ExplanationProps) {
  const { is_allowed, model, rules, error_code } = explanation;
  return (
    <section aria-label="Explanation" aria-busy={isStale} aria-live="polite">
      <Notice
        kind={is_allowed ? 'ok' : 'bad'}
        title={
          <strong>
            {userName} {is_allowed ? 'may' : 'may not'} use <code>{model}</code>
          </strong>
        }
      >
        {error_code !== null && (
          <>
            The gateway would return <code>{error_code}</code>
          </>
        )}
      </Notice>
      <ol className={explanationStyles.chain}>
        {rules.map((rule) => (
          <RuleStep key={rule.name} rule={rule} />
        ))}
      </ol>
      <Button
        variant="default"
        leftSection={<RefreshIcon size={14} strokeWidth={1.5} aria-hidden />}
        onClick={onAskAgain}
      >
        Check again
      </Button>
    </section>
  );
}

function RuleStep({ rule: { name, outcome, detail } }: { rule: Rule }) {
  const { kind, word } = outcomes[outcome];
  return (
    <li
      className={explanationStyles.rule}
      data-outcome={outcome}
      aria-current={outcome === 'refuses' || undefined}
    >
      <span className={explanationStyles.shape}>
        <StatusShape kind={kind} />
      </span>
      <div>
        <div className={explanationStyles.head}>
          <span className={explanationStyles.name}>{ruleNames[name]}</span>
          <span className={explanationStyles.outcome}>{word}</span>
        </div>
        {detail !== '' && <p className={explanationStyles.detail}>{detail}</p>}
      </div>
    </li>
  );
}

interface Question {
  userId: number | undefined;
  model: string;
}

interface ExplainDrawerProps {
  isOpen: boolean;
  question: Question;
  onAsk: (question: Question) => void;
  onClose: () => void;
}

/** Lists the gateway's rules up to the deciding one. */
export function ExplainDrawer({ isOpen, onClose, ...props }: ExplainDrawerProps) {
  return (
    <Drawer isOpen={isOpen} onClose={onClose} title="Explain access">
      <ExplainBody {...props} />
    </Drawer>
  );
}

function ExplainBody({ question, onAsk }: Pick<ExplainDrawerProps, 'question' | 'onAsk'>) {
  const { data: users } = useUsers(true);
  const asked = users?.find(({ id }) => id === question.userId);
  return (
    <>
      <QuestionForm question={question} onAsk={onAsk} />
      {question.userId !== undefined && question.model !== '' && (
        <Answer
          key={question.userId}
          userId={question.userId}
          userName={asked?.name ?? `User ${question.userId}`}
          model={question.model}
        />
      )}
    </>
  );
}

function QuestionForm({ question, onAsk }: Pick<ExplainDrawerProps, 'question' | 'onAsk'>) {
  const { data: users, ...source } = useUsers(true);
  const { data: providers = [] } = useQuery(grantableProvidersQuery);
  const [userId, setUserId] = useState(question.userId?.toString() ?? '');
  const [model, setModel] = useState(question.model);
  const [isIncomplete, setIncomplete] = useState(false);

  const ask = (event: FormEvent) => {
    event.preventDefault();
    const isComplete = userId !== '' && model.trim() !== '';
    setIncomplete(!isComplete);
    if (isComplete) onAsk({ userId: Number(userId), model: model.trim() });
  };
  return (
    <form className={styles.form} onSubmit={ask} noValidate>
      <p className="quiet">
        Checks whether this user can use this model now. No provider is called, and nothing is charged.
      </p>
      <PickerField
        label="User"
        placeholder="Search users by name or email..."
        emptyText="No users found"
        source={{ choices: users && listPersonChoices(users), ...source }}
        value={userId}
        error={isIncomplete && userId === '' && 'Please select a user'}
        data-autofocus
        onChange={setUserId}
      />
      <SuggestField
        label="Model"
        placeholder="As in a request: gpt-5-mini"
        suggestions={providers.flatMap(({ enabled_models }) => enabled_models)}
        value={model}
        error={isIncomplete && model.trim() === '' && 'Please enter a model'}
        onChange={setModel}
      />
      <Button type="submit" className={styles.ask}>
        Explain
      </Button>
    </form>
  );
}

function Answer({ userId, userName, model }: { userId: number; userName: string; model: string }) {
  const [taskId, setTaskId] = useState<number>();
  const answer = useQuery(explanationQuery(userId, model, taskId));
  const { data, isFetching, refetch } = answer;
  const failure = describeFailure(answer, 'Failed to explain access');
  if (failure) return <Failure {...failure} />;
  if (!data) return <SkeletonLines count={8} />;
  return (
    <>
      {data.tasks.length > 0 && (
        <SelectField
          className={styles.task}
          label="Task"
          placeholder="No task in the request"
          options={data.tasks.map(({ id, title }) => ({ value: id, label: title }))}
          value={taskId}
          onChange={(chosen) => setTaskId(chosen === '' ? undefined : Number(chosen))}
        />
      )}
      <Explanation
        explanation={data}
        userName={userName}
        isStale={isFetching}
        onAskAgain={() => void refetch()}
      />
    </>
  );
}
