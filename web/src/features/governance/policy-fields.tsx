import { Button } from '@mantine/core';
import {
  type DeviationPolicy,
  deviationModes,
  deviationPolicy,
  deviationSignals,
  governanceRoutes,
} from '@sluice/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { NumberField } from '#components/forms/number-field.tsx';
import { SelectField } from '#components/forms/select-field.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { createApiClient } from '#lib/api.ts';
import { signalTexts } from '#lib/describe-deviation.ts';
import { messageOf } from '#lib/describe-failure.ts';
import styles from './policy-fields.module.css';
import policyReplayStyles from './policy-replay.module.css';
import { ReplayResult } from './replay-result.tsx';

const calls = createApiClient(governanceRoutes);

type Trial = Parameters<typeof calls.replayPolicy>[0]['body'];

/** Finds the users whom a policy would have warned or blocked. Nothing is changed. */
export const useReplay = () => useMutation({ mutationFn: (body: Trial) => calls.replayPolicy({ body }) });

const dayMs = 86_400_000;
const periodsDays = [7, 30, 90] as const;

function PolicyReplay({ policy }: { policy: DeviationPolicy }) {
  const [days, setDays] = useState(30);
  const { mutate, data, error, isPending, submittedAt, variables } = useReplay();
  const [problem, setProblem] = useState<string | null>(null);
  const replay = () => {
    const checked = deviationPolicy.safeParse(policy);
    setProblem(checked.success ? null : (checked.error.issues[0]?.message ?? 'This policy is not complete'));
    if (checked.success && !isPending) mutate({ policy: checked.data, days });
  };
  const isOutdated = variables?.days !== days || JSON.stringify(variables.policy) !== JSON.stringify(policy);
  return (
    <section className={policyReplayStyles.replay} aria-labelledby="policy-replay">
      <h3 id="policy-replay">Test the policy</h3>
      <p className={`quiet ${policyReplayStyles.text}`}>
        Shows which users the policy above would have warned or blocked. Nothing is saved.
      </p>
      <div className={policyReplayStyles.bar}>
        <SelectField
          aria-label="Days to test the policy on"
          value={days}
          options={periodsDays.map((period) => ({ value: period, label: `${period} days` }))}
          onChange={(chosen) => setDays(Number(chosen))}
        />
        <Button variant="default" onClick={replay} aria-disabled={isPending}>
          {isPending ? 'Testing...' : `Test on the last ${days} days`}
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
        {data && (
          <ReplayResult
            replay={data}
            sinceMs={submittedAt - (variables?.days ?? days) * dayMs}
            isOutdated={isOutdated}
          />
        )}
      </div>
    </section>
  );
}

const modeTexts: Readonly<Record<(typeof deviationModes)[number], { label: string; meaning: string }>> = {
  monitor: { label: 'Monitor', meaning: 'Scores are recorded and shown. Nothing is blocked.' },
  warn: { label: 'Warn', meaning: 'Responses carry a warning once the score is elevated.' },
  block: {
    label: 'Block',
    meaning: 'Responses carry a warning. Users who reach the block threshold are blocked, with the reason.',
  },
};

interface PolicyFieldsProps {
  /** An invalid number remains a string. */
  policy: DeviationPolicy;
  /** By field path, for example `thresholds.high`. */
  problems: Readonly<Record<string, string>>;
  onChange: (policy: DeviationPolicy) => void;
}

/** Includes a test against past requests. */
export function PolicyFields({ policy, problems, onChange }: PolicyFieldsProps) {
  const bind = (group: 'thresholds' | 'weights', name: string) => ({
    value: (policy[group] as Readonly<Record<string, number>>)[name] ?? '',
    error: problems[`${group}.${name}`],
    onChange: (value: number | string | null | undefined) =>
      // safe because the schema rejects non-numbers before the policy is sent
      onChange({ ...policy, [group]: { ...policy[group], [name]: value ?? '' } } as DeviationPolicy),
  });
  return (
    <>
      <SelectField
        label="Enforcement"
        description={modeTexts[policy.mode].meaning}
        options={deviationModes.map((mode) => ({ value: mode, label: modeTexts[mode].label }))}
        value={policy.mode}
        onChange={(chosen) => {
          const mode = deviationModes.find((one) => one === chosen);
          if (mode) onChange({ ...policy, mode });
        }}
      />
      <fieldset className={styles.group}>
        <legend>Score thresholds, from 0 to 1</legend>
        <div className={styles.thresholds}>
          <Decimal label="Elevated" {...bind('thresholds', 'elevated')} />
          <Decimal label="High" {...bind('thresholds', 'high')} />
          <Decimal label="Block" {...bind('thresholds', 'block')} />
        </div>
      </fieldset>
      <fieldset className={styles.group}>
        <legend>Signal weights, from 0 to 2</legend>
        <div className={styles.weights}>
          {deviationSignals.map((name) => (
            <Decimal
              key={name}
              label={signalTexts[name].label}
              description={signalTexts[name].meaning}
              {...bind('weights', name)}
            />
          ))}
        </div>
      </fieldset>
      <PolicyReplay policy={policy} />
    </>
  );
}

function Decimal(props: Omit<Parameters<typeof NumberField>[0], 'emptyMeans'>) {
  return <NumberField emptyMeans="absent" step={0.1} {...props} />;
}
