import { formatLabels, type LogEntry } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Fact, FactList } from '#components/ui/fact-list.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { formatDuration } from '#lib/format-time.ts';
import {
  describeCost,
  describeIntent,
  describeMissingText,
  describeScoreChange,
  describeTokens,
} from './describe-entry.ts';
import styles from './detail.module.css';
import { TaskLink } from './links.tsx';
import { logQuery } from './queries.ts';
import { codeOf, LogRefusal } from './refusal.tsx';
import { hasFailed, LogAttempts, LogBody, LogError, LogPassage, TextCutNotice } from './sections.tsx';
import { LogStatus } from './status.tsx';

export function LogDetail({ listed }: { listed: LogEntry }) {
  const answer = useQuery(logQuery(listed.id, listed));
  const { data: log = listed, isPlaceholderData } = answer;
  const failure = describeFailure(answer, 'Unknown error', 'Error loading logs');
  return (
    <section aria-label={`Request ${log.id}`} aria-busy={isPlaceholderData} className={styles.detail}>
      {failure && <Failure {...failure} />}
      <div className={styles.texts}>
        {log.is_text_cut && <TextCutNotice />}
        <LogPassage title="Prompt" text={log.prompt} missing={describeMissingText(log)} />
        <LogPassage title="Response" text={log.response} missing={describeMissingText(log)} />
      </div>
      <LogBody log={log} />
      {codeOf(log) ? <LogRefusal log={log} /> : hasFailed(log) && <LogError log={log} />}
      {log.provider_calls && <LogAttempts calls={log.provider_calls} />}
      <Facts log={log} />
    </section>
  );
}

function Facts({ log }: { log: LogEntry }) {
  const isRising = (log.deviation_score_delta ?? 0) > 0;
  return (
    <FactList>
      <Fact name="Request ID">
        <code>{log.id}</code> <CopyButton text={log.id} label="Copy request ID" />
      </Fact>
      <Fact name="Task ID">
        <TaskLink log={log} />
      </Fact>
      {log.labels && <Fact name="Labels">{formatLabels(log.labels)}</Fact>}
      <Fact name="Status">
        <LogStatus log={log} />
      </Fact>
      <Fact name="Response Time">{formatDuration(log.response_time_ms)}</Fact>
      <Fact name="Token Usage">{describeTokens(log)}</Fact>
      <Fact name="Cost">{describeCost(log)}</Fact>
      <Fact name="Intent Classification">{describeIntent(log)}</Fact>
      <Fact name="Score Change">
        <span className={isRising ? styles.rising : undefined}>{describeScoreChange(log)}</span>
      </Fact>
    </FactList>
  );
}
