import { Button } from '@mantine/core';
import { ApiError, type Comparison, type ComparisonResult, comparisonTimeoutMs } from '@sluice/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { SelectField } from '#components/forms/select-field.tsx';
import { FocusedSection } from '#components/ui/focused-section.tsx';
import { Failure, Notice } from '#components/ui/notice.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { copyText } from '#lib/copy-text.ts';
import { describeFailure } from '#lib/describe-failure.ts';
import { formatUsdExact } from '#lib/format-money.ts';
import { Ballot } from './ballot.tsx';
import { comparisonKey, comparisons, useRefreshComparisons } from './queries.ts';
import { ResultCard } from './result-card.tsx';
import styles from './results.module.css';

const pollMs = 2_000;
const pollRetries = 3;
const firstRetryMs = 5_000;
const longestRetryMs = 30_000;

/** Polls until every model has finished, for at most five minutes. */
function useComparison(id: string) {
  const queryClient = useQueryClient();
  const refresh = useRefreshComparisons();
  const [startedMs, setStartedMs] = useState(() => Date.now());
  const answer = useQuery({
    queryKey: comparisonKey(id),
    queryFn: ({ signal }) => comparisons.getComparison({ params: { id } }, { signal }),
    refetchInterval: ({ state }) => {
      const isOver = state.data === undefined || state.status === 'error' || hasEnded(state.data);
      return isOver || Date.now() - startedMs > comparisonTimeoutMs ? false : pollMs;
    },
    // Before the first results are displayed, a failure is reported after fewer retries.
    retry: (failures, error) =>
      !isFinal(error) && failures < (queryClient.getQueryData(comparisonKey(id)) ? pollRetries : 1),
    retryDelay: (failures) => Math.min(firstRetryMs * 2 ** failures, longestRetryMs),
  });
  const isEnded = answer.data !== undefined && hasEnded(answer.data);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the comparison ends once, `refresh` changes with each render
  useEffect(() => {
    if (isEnded) refresh();
  }, [isEnded]);
  const isGivenUp = !isEnded && answer.dataUpdatedAt - startedMs > comparisonTimeoutMs - pollMs;
  const goOn = () => {
    setStartedMs(Date.now());
    void answer.refetch();
  };
  return { answer, isEnded, isGivenUp, goOn };
}

const isFinal = (error: Error) =>
  error instanceof ApiError && error.status < 500 && error.status !== 408 && error.status !== 429;

export const hasEnded = ({ results }: Comparison) => results.every(hasResultEnded);

/** A pending result with an error is final too. */
export const hasResultEnded = ({ status, error_message }: ComparisonResult) =>
  status !== 'pending' || error_message !== null;

interface ResultsProps {
  id: string;
  onNew: () => void;
}

export function ComparisonResults({ id, onNew }: ResultsProps) {
  const { answer, isEnded, isGivenUp, goOn } = useComparison(id);
  const { data: comparison } = answer;
  const failure = describeFailure(answer, 'Failed to load comparison');
  return (
    <FocusedSection label="Comparison results">
      <div className={styles.results}>
        {failure && <Failure {...failure} onRetry={goOn} />}
        {isGivenUp && !failure && (
          <Notice
            kind="warn"
            title="Some models have not answered within 5 minutes. This page has stopped waiting for them."
            action={
              <Button variant="default" onClick={goOn}>
                Check again
              </Button>
            }
          />
        )}
        {!comparison && !failure && (
          <div role="status">
            <span className="visually-hidden">Loading comparison...</span>
            <SkeletonLines />
          </div>
        )}
        {comparison && <Prompt comparison={comparison} isEnded={isEnded} />}
        {comparison && <Cards comparison={comparison} isEnded={isEnded} />}
        {comparison && <Ballot comparison={comparison} isEnded={isEnded} />}
        <div className={styles.next}>
          <Button variant={isEnded || failure ? 'filled' : 'default'} onClick={onNew}>
            New Comparison
          </Button>
          {comparison && <CopyLink id={id} />}
        </div>
      </div>
    </FocusedSection>
  );
}

/** The link works for the tenant's administrators only. */
function CopyLink({ id }: { id: string }) {
  const copy = async () => {
    const link = `${window.location.origin}/admin/llm-comparison?open=${id}`;
    if (await copyText(link)) showSuccess('Link copied. Administrators of this tenant can open it.');
    else showError('The link could not be copied. Copy the URL of this page instead.');
  };
  return (
    <Button
      variant="default"
      leftSection={<Link2 size={14} strokeWidth={1.5} aria-hidden />}
      onClick={() => void copy()}
    >
      Copy link
    </Button>
  );
}

interface PartProps {
  comparison: Comparison;
  isEnded: boolean;
}

function Prompt({ comparison: { prompt, results, total_cost, is_revealed }, isEnded }: PartProps) {
  const ended = results.filter(({ status }) => status !== 'pending').length;
  return (
    <div className={styles.asked}>
      <div>
        <h2>Prompt</h2>
        <p className={styles.prompt}>{prompt}</p>
      </div>
      <p className={styles.total} role="status">
        {isEnded && total_cost !== null && (
          <>
            Total cost <strong className="num">{formatUsdExact(total_cost, 6)}</strong>
          </>
        )}
        {!isEnded && (
          <span className="num">Processing...{is_revealed && ` ${ended} of ${results.length} finished`}</span>
        )}
      </p>
    </div>
  );
}

function Cards({ comparison: { results }, isEnded }: PartProps) {
  const [baseId, setBaseId] = useState<string | null>(null);
  const merits = findMerits(isEnded ? results : []);
  const base = results.find(({ id }) => id === baseId)?.response_text ?? null;
  return (
    <>
      {isEnded && <DifferenceChoice results={results} base={baseId} onChoose={setBaseId} />}
      <ol className={styles.cards}>
        {results.map((result) => (
          <ResultCard
            key={result.id}
            result={result}
            merits={merits.get(result.id) ?? []}
            base={result.id === baseId || result.status !== 'completed' ? null : base}
          />
        ))}
      </ol>
    </>
  );
}

/** A tie, or a single result with the figure, has no winner. */
export function findMerits(results: readonly ComparisonResult[]): ReadonlyMap<string, readonly string[]> {
  const completed = results.filter(({ status }) => status === 'completed');
  const best = [
    { merit: 'Fastest', id: findLeast(completed, ({ response_time_ms }) => response_time_ms) },
    { merit: 'Cheapest', id: findLeast(completed, ({ cost }) => cost) },
  ];
  return new Map(
    completed.map(({ id }) => [id, best.filter((one) => one.id === id).map(({ merit }) => merit)]),
  );
}

function findLeast(
  results: readonly ComparisonResult[],
  figureOf: (result: ComparisonResult) => number | null,
): string | undefined {
  const known = results.flatMap((result) => {
    const value = figureOf(result);
    return value === null ? [] : { id: result.id, value };
  });
  const [least, next] = known.toSorted((one, other) => one.value - other.value);
  return next && least && least.value < next.value ? least.id : undefined;
}

interface DifferenceChoiceProps {
  results: readonly ComparisonResult[];
  /** Id of the result that the others are compared with, or `null`. */
  base: string | null;
  onChoose: (base: string | null) => void;
}

function DifferenceChoice({ results, base, onChoose }: DifferenceChoiceProps) {
  const worded = results.filter(({ status, response_text }) => status === 'completed' && response_text);
  if (worded.length < 2) return null;
  return (
    <SelectField
      className={styles.difference}
      aria-label="Word differences"
      placeholder="No word differences"
      options={worded.map(({ id, label, model_name }, index) => ({
        value: id,
        label: ['Differences from', label ?? index + 1].join(' ') + (model_name ? `: ${model_name}` : ''),
      }))}
      value={base}
      onChange={(chosen) => onChoose(chosen || null)}
    />
  );
}
