import { Button, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import {
  type DeviationSignal,
  type GovernancePreview,
  governanceRoutes,
  logsOf,
  logsRoutes,
  type Task,
} from '@sluice/contract';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { IntentBadge } from '#components/ui/badge.tsx';
import { PanelList } from '#components/ui/panel-list.tsx';
import { ShadedText } from '#components/ui/shaded-text.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { showError, showMessage } from '#components/ui/toasts.tsx';
import { createApiClient } from '#lib/api.ts';
import { messageOf } from '#lib/describe-failure.ts';
import { formatScore, formatShare } from '#lib/format-number.ts';
import styles from './rehearsal.module.css';

const governanceCalls = createApiClient(governanceRoutes);
const logsCalls = createApiClient(logsRoutes);

/** Unsaved task for which prompts are judged. */
export type Draft = Pick<Task, 'title' | 'description' | 'category'>;

const promptsMax = 10;
const charactersMax = 2_000;

/** The previous result is shown while a new one loads. */
const rehearsalQuery = (text: string, task: Draft) =>
  queryOptions({
    queryKey: ['rehearsal', text, task],
    queryFn: ({ signal }) => governanceCalls.previewGovernance({ body: { text, task } }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

function readPrompts(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim().slice(0, charactersMax));
  return [...new Set(lines)].filter((line) => line !== '').slice(0, promptsMax);
}

/** Reduces each prompt to one line. */
async function loadHistory(taskId: number): Promise<string[]> {
  const logs = logsOf(await logsCalls.listLogs({ query: { task_id: taskId, limit: 50 } }));
  const prompts = logs.map(({ prompt }) => (prompt ?? '').replace(/\s+/g, ' '));
  return readPrompts(prompts.join('\n'));
}

/** Shows the words behind the intent and the distance from the task. */
function RehearsedPrompt({ prompt, draft }: { prompt: string; draft: Draft }) {
  const { data, error, isPlaceholderData } = useQuery(rehearsalQuery(prompt, draft));
  if (error)
    return (
      <li className={styles.prompt}>
        <p className={styles.text}>{prompt}</p>
        <StatusMark kind="bad">{messageOf(error, 'Failed to score this prompt')}</StatusMark>
      </li>
    );
  return (
    <li className={styles.prompt} aria-busy={!data || isPlaceholderData}>
      <p className={styles.text}>
        {data && !isPlaceholderData ? (
          <ShadedText text={prompt} words={data.words} intent={data.intent} />
        ) : (
          prompt
        )}
      </p>
      {data ? <Verdict preview={data} /> : <Skeleton width="14rem" height="1rem" />}
    </li>
  );
}

function Verdict({ preview: { intent, confidence, deviation } }: { preview: GovernancePreview }) {
  const { kind, word } = judge(deviation.value);
  const reasons = deviation.signals.filter(({ contribution }) => contribution >= 0.005);
  return (
    <div className={`num ${styles.verdict}`}>
      <StatusMark kind={kind}>{word}</StatusMark>
      <IntentBadge intent={intent} />
      <span>{formatShare(confidence)} confidence</span>
      <span className={styles.reasons}>
        Deviation {formatScore(deviation.value)}
        {reasons.length > 0 &&
          `: ${reasons.map(({ name, contribution }) => `${signalNames[name]} ${formatScore(contribution)}`).join(', ')}`}
      </span>
    </div>
  );
}

const signalNames: Readonly<Record<DeviationSignal, string>> = {
  off_topic: 'off topic',
  category: 'other category',
  wording: 'different wording',
  burst: 'burst',
  refusals: 'refusals',
};

function judge(deviation: number) {
  if (deviation < 0.2) return { kind: 'ok', word: 'Fits' } as const;
  if (deviation < 0.5) return { kind: 'warn', word: 'Fits partly' } as const;
  return { kind: 'bad', word: 'Off task' } as const;
}

const pauseMs = 300;

interface TaskRehearsalProps {
  draft: Draft;
  /** `undefined` for a new task. */
  taskId: number | undefined;
}

/** Shows how prompts would be judged for the edited task. */
export function TaskRehearsal({ draft, taskId }: TaskRehearsalProps) {
  const [text, setText] = useState('');
  const [settled] = useDebouncedValue(JSON.stringify({ draft, text }), pauseMs);
  // safe because `settled` is the serialized form of this type
  const judged = JSON.parse(settled) as { draft: Draft; text: string };
  const headingId = useId();
  const takeHistory = async (id: number) => {
    try {
      const prompts = await loadHistory(id);
      if (prompts.length === 0) return showMessage('No requests for this task yet');
      setText(prompts.join('\n'));
    } catch (error) {
      showError(messageOf(error, 'Failed to load the prompts'));
    }
  };
  return (
    <section className={styles.rehearsal} aria-labelledby={headingId}>
      <div className={styles.head}>
        <h3 id={headingId}>Task rehearsal</h3>
        {taskId !== undefined && (
          <Button variant="subtle" onClick={() => void takeHistory(taskId)}>
            Copy from history
          </Button>
        )}
      </div>
      <Textarea
        label="Prompts"
        description={`One per line, up to ${promptsMax}. They are compared with the fields above as you type. Nothing is stored.`}
        autosize
        minRows={2}
        maxRows={6}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <PanelList label="Rehearsed prompts" items={readPrompts(judged.text)}>
        {(prompt, index) => (
          // Keyed by position, so that an edited line keeps its element.
          <RehearsedPrompt key={index} prompt={prompt} draft={judged.draft} />
        )}
      </PanelList>
    </section>
  );
}
