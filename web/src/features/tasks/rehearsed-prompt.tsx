import type { DeviationSignal, GovernancePreview } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { IntentBadge } from '../../components/ui/intent-badge.tsx';
import { ShadedText } from '../../components/ui/shaded-text.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { formatShare } from '../../lib/format-number.ts';
import { messageOf } from '../../lib/message-of.ts';
import styles from './rehearsal.module.css';
import { type Draft, rehearsalQuery } from './rehearsal-queries.ts';

/** One prompt with the words behind its intent, and its distance from the task. */
export function RehearsedPrompt({ prompt, draft }: { prompt: string; draft: Draft }) {
  const { data, error, isPlaceholderData } = useQuery(rehearsalQuery(prompt, draft));
  if (error)
    return (
      <li className={styles.prompt}>
        <p className={styles.text}>{prompt}</p>
        <StatusMark kind="bad">{messageOf(error, 'Failed to judge this prompt')}</StatusMark>
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
      <span>{formatShare(confidence)} sure</span>
      <span className={styles.reasons}>
        Deviates {deviation.value.toFixed(2)}
        {reasons.length > 0 &&
          `: ${reasons.map(({ name, contribution }) => `${signalNames[name]} ${contribution.toFixed(2)}`).join(', ')}`}
      </span>
    </div>
  );
}

const signalNames: Readonly<Record<DeviationSignal, string>> = {
  off_topic: 'off topic',
  category: 'another category',
  wording: 'other words',
  burst: 'burst',
  refusals: 'refusals',
};

function judge(deviation: number) {
  if (deviation < 0.2) return { kind: 'ok', word: 'Fits' } as const;
  if (deviation < 0.5) return { kind: 'warn', word: 'Fits in part' } as const;
  return { kind: 'bad', word: 'Off task' } as const;
}
