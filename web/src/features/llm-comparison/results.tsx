import { Button } from '@mantine/core';
import type { Comparison } from '@sluice/contract';
import { Link2 } from 'lucide-react';
import { useState } from 'react';
import { Failure } from '../../components/ui/failure.tsx';
import { FocusedSection } from '../../components/ui/focused-section.tsx';
import { Notice } from '../../components/ui/notice.tsx';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import { showError, showSuccess } from '../../components/ui/toasts.tsx';
import { copyText } from '../../lib/copy-text.ts';
import { describeFailure } from '../../lib/describe-failure.ts';
import { formatUsdExact } from '../../lib/format-money.ts';
import { Ballot } from './ballot.tsx';
import { DifferenceChoice } from './difference-choice.tsx';
import { findMerits } from './merits.ts';
import { ResultCard } from './result-card.tsx';
import styles from './results.module.css';
import { useComparison } from './use-comparison.ts';

interface ResultsProps {
  id: string;
  onNew: () => void;
}

/** One comparison: the prompt and each model's answer. */
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
            title="Some models have not answered within 5 minutes. This page has stopped asking for them."
            action={
              <Button variant="default" onClick={goOn}>
                Ask again
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

/** Button that copies the link, which works for the tenant's administrators only. */
function CopyLink({ id }: { id: string }) {
  const copy = async () => {
    const link = `${window.location.origin}/admin/llm-comparison?open=${id}`;
    if (await copyText(link)) showSuccess('Link copied. Administrators of this tenant can open it.');
    else showError('The link could not be copied. Take it from the address of this page.');
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
