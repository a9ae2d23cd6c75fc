import { Button } from '@mantine/core';
import {
  type Comparison,
  comparedModelsMax,
  comparedModelsMin,
  createComparisonBody,
} from '@sluice/contract';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { type FormEvent, useId, useMemo, useState } from 'react';
import { CheckboxField } from '#components/forms/checked-fields.tsx';
import { SelectField } from '#components/forms/select-field.tsx';
import { TextAreaField } from '#components/forms/text-field.tsx';
import { DeleteIcon } from '#components/ui/action-icons.ts';
import { IconButton } from '#components/ui/icon-button.tsx';
import { Failure, Notice } from '#components/ui/notice.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { readActingTenant } from '#lib/acting-tenant.ts';
import { describeFailure, messageOf } from '#lib/describe-failure.ts';
import { findDefaultTask, userTasksQuery } from '#lib/user-tasks.ts';
import { type ComparedModel, firstRows, isComplete, listProviders, newRow } from './choices.ts';
import styles from './form.module.css';
import { comparedProvidersQuery, historyQuery, useCreateComparison } from './queries.ts';

export function ComparisonForm({ onStarted }: { onStarted: (comparison: Comparison) => void }) {
  const draft = useDraft();
  const { data: tasks } = useQuery(userTasksQuery);
  const task = findDefaultTask(tasks);
  const { isPending, error, mutate } = useCreateComparison();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (draft.problem === null && !isPending) mutate(draft.body, { onSuccess: onStarted });
  };
  const failure = describeFailure(draft.answer, '', 'Failed to load available providers');
  return (
    <form className={styles.form} aria-label="New comparison" onSubmit={submit} noValidate>
      {failure && <Failure {...failure} />}
      {readActingTenant() !== null && (
        <Notice kind="warn" title="You are acting for another tenant.">
          Comparisons run in your own tenant. Stop acting for the other tenant to start one.
        </Notice>
      )}
      <TextAreaField
        label="Prompt"
        placeholder="Enter a prompt for all models"
        rows={4}
        value={draft.prompt}
        disabled={isPending}
        onChange={({ currentTarget }) => draft.setPrompt(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
        }}
      />
      <p className="quiet">
        The prompt and its answers are kept with your comparisons for as long as your organization keeps
        prompts.
        {task && ` The requests count toward your task “${task.task_title}”.`}
      </p>
      <ModelRows draft={draft} />
      <CheckboxField
        label="Blind vote"
        description="Answers are shown without model names, costs and times. They are revealed after you vote."
        checked={draft.isBlind}
        disabled={isPending}
        onChange={({ currentTarget }) => draft.setIsBlind(currentTarget.checked)}
      />
      <div role="alert" className={styles.problem}>
        {error && <StatusMark kind="bad">{messageOf(error, 'Failed to create comparison')}</StatusMark>}
      </div>
      <StartButton problem={draft.problem} isPending={isPending} />
    </form>
  );
}

function ModelRows({ draft }: { draft: Draft }) {
  const isFull = draft.rows.length === comparedModelsMax;
  return (
    <fieldset className={styles.models}>
      <legend>LLM + Model combinations</legend>
      <ol className={styles.rows}>
        {draft.rows.map((row, index) => (
          <ModelRow key={row.key} number={index + 1} row={row} draft={draft} />
        ))}
      </ol>
      <Button
        variant="default"
        leftSection={<Plus size={14} strokeWidth={1.5} aria-hidden />}
        disabled={isFull}
        onClick={draft.add}
      >
        Add LLM + Model
      </Button>
      {isFull && <span className="quiet">At most {comparedModelsMax} at once</span>}
    </fieldset>
  );
}

function StartButton({ problem, isPending }: { problem: string | null; isPending: boolean }) {
  const hintId = useId();
  return (
    <div className={styles.start}>
      <Button
        type="submit"
        disabled={problem !== null || isPending}
        aria-describedby={problem === null ? undefined : hintId}
        data-pending={isPending || undefined}
      >
        {isPending ? 'Processing...' : 'Start Comparison'}
      </Button>
      <span id={hintId} role="status" className="quiet">
        {problem}
      </span>
    </div>
  );
}

interface ModelRowProps {
  /** Starts at 1. */
  number: number;
  row: ComparedModel;
  draft: Draft;
}

function ModelRow({ number, row, draft }: ModelRowProps) {
  const { providers, chooseProvider, chooseModel, remove } = draft;
  const models = providers?.find(({ registryId }) => registryId === row.registryId)?.models ?? [];
  const listed = row.model === '' || models.includes(row.model) ? models : [row.model, ...models];
  return (
    <li className={styles.row}>
      <span className={`num ${styles.number}`} aria-hidden="true">
        {number}
      </span>
      <SelectField
        aria-label={`Provider ${number}`}
        placeholder="Select a provider"
        loadingText="Loading providers..."
        isLoading={providers === undefined && draft.answer.isPending}
        options={(providers ?? []).map(({ registryId, label }) => ({ value: registryId, label }))}
        value={row.registryId}
        onChange={(chosen) => chooseProvider(row.key, chosen === '' ? null : Number(chosen))}
      />
      <SelectField
        aria-label={`Model ${number}`}
        placeholder="Select a model"
        disabled={row.registryId === null}
        options={listed.map((model) => ({ value: model, label: model }))}
        value={row.model}
        onChange={(model) => chooseModel(row.key, model)}
      />
      <IconButton
        label={`Remove row ${number}`}
        icon={DeleteIcon}
        disabled={draft.rows.length === 1}
        onClick={() => remove(row.key)}
      />
    </li>
  );
}

function useDraft() {
  const answer = useQuery(comparedProvidersQuery);
  const providers = useMemo(() => answer.data && listProviders(answer.data), [answer.data]);
  const [prompt, setPrompt] = useState('');
  const [isBlind, setIsBlind] = useState(false);
  const [chosen, setRows] = useState<readonly ComparedModel[] | null>(null);
  const history = useInfiniteQuery(historyQuery({}));
  const suggested = useMemo(
    () => (history.isPending ? firstRows([]) : firstRows(providers ?? [], history.data?.pages[0])),
    [providers, history.isPending, history.data],
  );
  const rows = chosen ?? suggested;
  const choose = (key: number, change: Partial<ComparedModel>) =>
    setRows(rows.map((row) => (row.key === key ? { ...row, ...change } : row)));
  return {
    answer,
    providers,
    prompt,
    setPrompt,
    isBlind,
    setIsBlind,
    rows,
    chooseProvider: (key: number, registryId: number | null) => {
      const provider = providers?.find((one) => one.registryId === registryId);
      choose(key, { registryId, model: provider?.defaultModel ?? '' });
    },
    chooseModel: (key: number, model: string) => choose(key, { model }),
    add: () => setRows([...rows, newRow()]),
    remove: (key: number) => setRows(rows.filter((row) => row.key !== key)),
    ...judge({ prompt, is_blind: isBlind }, rows),
  };
}

type Draft = ReturnType<typeof useDraft>;

/** Returns the request body, or the message with which the server would reject it. */
function judge(asked: { prompt: string; is_blind: boolean }, rows: readonly ComparedModel[]) {
  const complete = rows.filter(isComplete);
  const body = {
    ...asked,
    provider_models: complete.map(({ registryId, model }) => ({
      provider_registry_id: registryId ?? 0,
      model_name: model,
    })),
  };
  const { error } = createComparisonBody.safeParse(body);
  const isUnfinished = complete.length < rows.length && complete.length >= comparedModelsMin;
  const unfinished = 'Please select a provider and a model in each row, or remove it';
  return { body, problem: error?.issues[0]?.message ?? (isUnfinished ? unfinished : null) };
}
