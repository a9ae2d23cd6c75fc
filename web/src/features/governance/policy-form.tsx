import { type DeviationPolicy, deviationModes, deviationPolicy, deviationSignals } from '@sluice/contract';
import { Form } from '../../components/forms/form.tsx';
import { NumberField } from '../../components/forms/number-field.tsx';
import { SelectField } from '../../components/forms/select-field.tsx';
import { useContractForm } from '../../components/forms/use-contract-form.ts';
import { showSuccess } from '../../components/ui/toasts.tsx';
import { signalTexts } from '../../lib/deviation-text.ts';
import styles from './policy-form.module.css';
import { PolicyReplay } from './policy-replay.tsx';

const modeTexts: Readonly<Record<(typeof deviationModes)[number], { label: string; meaning: string }>> = {
  monitor: { label: 'Monitor', meaning: 'Scores are recorded and shown. Nothing is blocked.' },
  warn: { label: 'Warn', meaning: 'Responses carry a warning once the score is elevated.' },
  block: {
    label: 'Block',
    meaning: 'Responses carry a warning. Users who reach the block threshold are blocked, with the reason.',
  },
};

interface PolicyFormProps {
  saved: DeviationPolicy;
  onSave: (policy: DeviationPolicy) => Promise<unknown>;
}

/** Form of the tenant's deviation policy. */
export function PolicyForm({ saved, onSave }: PolicyFormProps) {
  const form = useContractForm({ schema: deviationPolicy, initialValues: saved });
  return (
    <>
      <Form
        form={form}
        submitLabel="Save policy"
        pendingLabel="Saving..."
        fallbackProblem="The policy was not saved: the gate cannot be reached"
        needsChange
        onSubmit={async (policy) => {
          await onSave(policy);
          showSuccess('Policy saved');
        }}
      >
        <SelectField
          label="Enforcement"
          description={modeTexts[form.values.mode].meaning}
          options={deviationModes.map((mode) => ({ value: mode, label: modeTexts[mode].label }))}
          {...form.bind('mode')}
        />
        <fieldset className={styles.group}>
          <legend>Score thresholds, from 0 to 1</legend>
          <div className={styles.thresholds}>
            <Decimal label="Elevated" {...form.bind('thresholds.elevated')} />
            <Decimal label="High" {...form.bind('thresholds.high')} />
            <Decimal label="Block" {...form.bind('thresholds.block')} />
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
                {...form.bind(`weights.${name}`)}
              />
            ))}
          </div>
        </fieldset>
      </Form>
      <PolicyReplay policy={form.values} />
    </>
  );
}

function Decimal(props: Omit<Parameters<typeof NumberField>[0], 'emptyMeans'>) {
  return <NumberField emptyMeans="absent" allowDecimal decimalScale={3} step={0.1} {...props} />;
}
