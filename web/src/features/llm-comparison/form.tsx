import { Button } from '@mantine/core';
import { type Comparison, comparedModelsMax } from '@sluice/contract';
import { Plus } from 'lucide-react';
import { type FormEvent, useId } from 'react';
import { CheckboxField } from '../../components/forms/checked-fields.tsx';
import { TextAreaField } from '../../components/forms/text-area-field.tsx';
import { Failure } from '../../components/ui/failure.tsx';
import { Notice } from '../../components/ui/notice.tsx';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { readActingTenant } from '../../lib/acting-tenant.ts';
import { describeFailure } from '../../lib/describe-failure.ts';
import { messageOf } from '../../lib/message-of.ts';
import styles from './form.module.css';
import { ModelRow } from './model-row.tsx';
import { useCreateComparison } from './queries.ts';
import { type Draft, useDraft } from './use-draft.ts';

/** Form for a prompt and the models to compare. */
export function ComparisonForm({ onStarted }: { onStarted: (comparison: Comparison) => void }) {
  const draft = useDraft();
  const { isPending, error, mutate } = useCreateComparison();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (draft.problem === null && !isPending) mutate(draft.body, { onSuccess: onStarted });
  };
  const failure = describeFailure(
    draft.answer,
    'the gate cannot be reached',
    'Failed to load available providers',
  );
  return (
    <form className={styles.form} aria-label="New comparison" onSubmit={submit} noValidate>
      {failure && <Failure {...failure} />}
      {readActingTenant() !== null && (
        <Notice kind="warn" title="You are acting for another tenant.">
          Models are asked as yourself, in your own tenant: stop acting for the other one to compare them.
        </Notice>
      )}
      <TextAreaField
        label="Prompt"
        placeholder="What should all of them answer?"
        rows={4}
        value={draft.prompt}
        disabled={isPending}
        onChange={({ currentTarget }) => draft.setPrompt(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
        }}
      />
      <p className="quiet">
        The prompt and its answers are kept with your comparisons for as long as your organisation keeps
        prompts.
      </p>
      <ModelRows draft={draft} />
      <CheckboxField
        label="Blind vote"
        description="The answers come without names, costs and times. You vote, then see which model gave which."
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
