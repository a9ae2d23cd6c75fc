import { Button } from '@mantine/core';
import { type DeviationPolicy, deviationPolicy } from '@sluice/contract';
import { useState } from 'react';
import { SelectField } from '../../components/forms/select-field.tsx';
import { Failure } from '../../components/ui/failure.tsx';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { messageOf } from '../../lib/message-of.ts';
import styles from './policy-replay.module.css';
import { useReplay } from './queries.ts';
import { ReplayResult } from './replay-result.tsx';

const periodsDays = [7, 30, 90] as const;

/** Replays past requests against a policy before it is saved. */
export function PolicyReplay({ policy }: { policy: DeviationPolicy }) {
  const [days, setDays] = useState(30);
  const { mutate, data, error, isPending, variables } = useReplay();
  const [problem, setProblem] = useState<string | null>(null);
  const replay = () => {
    const checked = deviationPolicy.safeParse(policy);
    setProblem(checked.success ? null : (checked.error.issues[0]?.message ?? 'This policy is not complete'));
    if (checked.success && !isPending) mutate({ policy: checked.data, days });
  };
  const isOutdated = variables?.days !== days || JSON.stringify(variables.policy) !== JSON.stringify(policy);
  return (
    <section className={styles.replay} aria-labelledby="policy-replay">
      <h3 id="policy-replay">Test the policy</h3>
      <p className={`quiet ${styles.text}`}>
        Shows who would have been warned or blocked under the policy above. Nothing is saved.
      </p>
      <div className={styles.bar}>
        <SelectField
          aria-label="Days to test the policy on"
          value={days}
          options={periodsDays.map((period) => ({ value: period, label: `${period} days` }))}
          onChange={(chosen) => setDays(Number(chosen))}
        />
        <Button variant="default" onClick={replay} aria-disabled={isPending}>
          {isPending ? 'Trying...' : `Test on the last ${days} days`}
        </Button>
      </div>
      <div role="alert">{problem !== null && <StatusMark kind="bad">{problem}</StatusMark>}</div>
      {error && (
        <Failure
          message={messageOf(error, 'The policy could not be tested')}
          error={error}
          onRetry={replay}
        />
      )}
      <div role="status">
        {data && <ReplayResult replay={data} days={variables?.days ?? days} isOutdated={isOutdated} />}
      </div>
    </section>
  );
}
